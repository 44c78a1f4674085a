import { ListChecks } from 'lucide-react';
import { gallery as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import type { Selection } from './selection.ts';
import type { Selecting } from './use-selection.ts';

export const SELECT_BUTTON = 'select-images';

/** Turns selection mode on and off. */
export function SelectButton({ selection: { on }, selecting }: { selection: Selection; selecting: Selecting }) {
  return (
    <Button id={SELECT_BUTTON} variant="line" aria-pressed={on} onClick={on ? selecting.leave : selecting.enter}>
      <ListChecks className="flip" />
      {texts.select.select}
    </Button>
  );
}
