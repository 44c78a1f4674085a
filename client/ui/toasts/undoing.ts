import { withLaterWords } from '../../text/language.ts';

/**
 * Shows what was done, with an Undo button, for ten seconds. Outside of text fields, Ctrl/Cmd+Z does the same. Loads its script
 * and its words on the first call.
 * @param subject what was changed, for withdrawUndoOf
 */
export function offerUndo(text: () => string, undo: () => void, subject?: string): void {
  const begun = ends;
  withLaterWords(import('./undo-toast.tsx'))
    .then(({ showUndo, dismissUndo }) => {
      if (begun !== ends) return;
      dismiss = dismissUndo;
      showUndo(text(), undo, subject);
    })
    // Without the script the action is only not undoable.
    .catch(() => undefined);
}

let ends = 0;
let dismiss = (_subject?: string): void => {};

/** Withdraws all offers: they name files of the account whose session has ended. */
export function withdrawUndo(): void {
  ends += 1;
  dismiss();
}

/** Withdraws the offers for one subject, before another change of it: they would contradict that change. */
export const withdrawUndoOf = (subject: string): void => dismiss(subject);
