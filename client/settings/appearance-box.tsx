import { settings as texts } from '../text/words.ts';
import { Box } from './box.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { Swatches } from './swatches.tsx';

export function AppearanceBox() {
  return (
    <Box title={texts.appearance.title} span="narrow">
      <Swatches label={texts.appearance.title} />
      <LanguageChoice />
    </Box>
  );
}
