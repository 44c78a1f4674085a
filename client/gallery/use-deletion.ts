import { useCallback, useRef, useState } from 'react';
import type { Image } from '../../server/contract.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery as texts } from '../text/words.ts';
import { showError } from '../ui/toast.ts';

export interface Deletion {
  /** ids of the images being deleted */
  readonly busy: ReadonlySet<string>;
  /** Asks, then deletes; `target` is the open dialog, if any. */
  readonly ask: (image: Image, target?: HTMLElement) => void;
  /** Whether the question is on the screen: it has the keyboard then. */
  readonly isAsking: () => boolean;
}

/** Loads the question and the deletion. */
export const loadDeletion = () => withLaterWords(import('./single-deletion.ts'));

/** Deletes an image after a question. Calls `onGone` with each image that no longer exists. */
export function useDeletion(onGone: (image: Image) => void): Deletion {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const asking = useRef(false);
  const gone = useRef(onGone);
  gone.current = onGone;
  const ask = useCallback(async (image: Image, target?: HTMLElement) => {
    if (asking.current) return;
    asking.current = true;
    // If the script of the question fails to load, nothing is deleted.
    const remove = await loadDeletion()
      .then(({ askToDelete }) => askToDelete(image, target))
      .catch(() => showError(texts.toast.deleteFailed));
    asking.current = false;
    if (!remove) return;
    setBusy((ids) => new Set(ids).add(image.id));
    const isGone = await remove();
    if (isGone) gone.current(image);
    else setBusy((ids) => new Set([...ids].filter((id) => id !== image.id)));
  }, []);
  return {
    busy,
    ask: useCallback((image, target) => void ask(image, target), [ask]),
    isAsking: useCallback(() => asking.current, []),
  };
}
