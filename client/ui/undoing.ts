import { withLaterWords } from '../text/language.ts';

/**
 * Says what was done, for ten seconds beside a button that takes it back; its script and its words come with the first one.
 * Ctrl/Cmd+Z does the same where nothing is being typed.
 */
export function offerUndo(text: () => string, undo: () => void): void {
  withLaterWords(import('./undo-toast.tsx'))
    .then(({ showUndo }) => showUndo(text(), undo))
    // What was done stays done: nothing is lost by it.
    .catch(() => undefined);
}
