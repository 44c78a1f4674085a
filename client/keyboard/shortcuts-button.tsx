import { useState } from 'react';
import { keyboard as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';

/** Opens the sheet by a press: where single keys are off, `?` does nothing. */
export function ShortcutsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="line" onClick={() => setOpen(true)}>
        {texts.title}
      </Button>
      {isOpen ? <ShortcutsSheet onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
