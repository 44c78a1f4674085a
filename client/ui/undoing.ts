import { withLaterWords } from '../text/language.ts';

/**
 * Shows what was done, with an Undo button, for ten seconds. Outside of text fields, Ctrl/Cmd+Z does the same. Loads its script
 * and its words on the first call.
 */
export function offerUndo(text: () => string, undo: () => void): void {
  const begun = ends;
  withLaterWords(import('./undo-toast.tsx'))
    .then(({ showUndo, dismissUndo }) => {
      if (begun !== ends) return;
      dismiss = dismissUndo;
      showUndo(text(), undo);
    })
    // Without the script the action is only not undoable.
    .catch(() => undefined);
}

let ends = 0;
let dismiss = (): void => {};

/** Withdraws all offers: they name files of the account whose session has ended. */
export function withdrawUndo(): void {
  ends += 1;
  dismiss();
}
