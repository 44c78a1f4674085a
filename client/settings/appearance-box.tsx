import type { ReactNode } from 'react';
import { settings as texts } from '../text/words.ts';
import { Box } from './box.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { Swatches } from './swatches.tsx';

/** @param children further controls, of other rooms */
export function AppearanceBox({ children }: { children: ReactNode }) {
  return (
    <Box title={texts.appearance.title} span="narrow">
      <Swatches label={texts.appearance.title} />
      <LanguageChoice />
      {children}
    </Box>
  );
}
