import { lazy, Suspense, useState } from 'react';
import { keyboard as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';

const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }));

/** Opens the sheet by a press: where single keys are off, `?` does nothing. */
export function ShortcutsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="line" onClick={() => setOpen(true)}>
        {texts.title}
      </Button>
      {isOpen ? (
        <Suspense>
          <ShortcutsSheet onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
