import { withLaterWords } from '../text/language.ts';

/**
 * Shows what was done, with an Undo button, for ten seconds. Outside of text fields, Ctrl/Cmd+Z does the same. Loads its script
 * and its words on the first call.
 */
export function offerUndo(text: () => string, undo: () => void): void {
  withLaterWords(import('./undo-toast.tsx'))
    .then(({ showUndo }) => showUndo(text(), undo))
    // Without the script the action is only not undoable.
    .catch(() => undefined);
}
