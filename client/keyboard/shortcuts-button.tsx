import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { withLaterWords } from '../text/language.ts';
import { settings as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';

const loadSheet = () => withLaterWords(import('./shortcuts-sheet.tsx'));
const ShortcutsSheet = lazyPart(async () => ({ default: (await loadSheet()).ShortcutsSheet }));

/** Opens the sheet by a press: where single keys are off, `?` does nothing. Load it with the words of the settings. */
export function ShortcutsButton() {
  const [isOpen, setOpen] = useState(false);
  // A failure is reported when the sheet is needed.
  useEffect(() => whenIdle(() => void loadSheet().catch(() => undefined)), []);
  return (
    <div>
      <Button variant="line" onClick={() => setOpen(true)}>
        {texts.appearance.shortcuts}
      </Button>
      <Suspense>{isOpen ? <ShortcutsSheet onClose={() => setOpen(false)} /> : null}</Suspense>
    </div>
  );
}
