import { useCallback, useMemo, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { withLaterWords } from '../../text/language.ts';
import { gallery as texts } from '../../text/words.ts';
import { showError } from '../../ui/toasts/toast.ts';
import type { Place } from './delete-images.ts';
import type { Outcome } from './outcome.ts';

export interface Deletion {
  /** ids of the images being deleted */
  readonly busy: ReadonlySet<string>;
  /** id of the card that shrinks away */
  readonly leaving: string | null;
  /** Asks, then deletes; `target` is the open dialog, if any. Resolves to undefined if nothing was deleted. */
  readonly ask: (images: readonly Image[], target?: HTMLElement) => Promise<Outcome | undefined>;
  /** Whether the question is on the screen: it has the keyboard then. */
  readonly isAsking: () => boolean;
}

/** Loads the question and the deletion. */
export const loadDeletion = () => withLaterWords(import('./delete-images.ts'));

const NONE: ReadonlySet<string> = new Set();

/** Deletes images after a question, and removes them from the screen. @param onGone called first */
export function useDeletion(place: Place, onGone: (gone: readonly Image[]) => void): Deletion {
  const [busy, setBusy] = useState(NONE);
  const [leaving, setLeaving] = useState<string | null>(null);
  const running = useRef<readonly string[]>([]);
  const asking = useRef(false);
  const now = useLatest(place);
  const latest = useLatest(onGone);
  const ask = useCallback(
    async (images: readonly Image[], target?: HTMLElement) => {
      const ids = images.map(({ id }) => id);
      // A second press: one question at a time, and no image is deleted twice.
      if (asking.current || ids.some((id) => running.current.includes(id))) return undefined;
      asking.current = true;
      // If the script of the question fails to load, nothing is deleted.
      const fail = (): undefined => void showError(texts.toast.deleteFailed);
      const script = await loadDeletion().catch(fail);
      const remove = await script?.askToDelete(images, target).catch(fail);
      asking.current = false;
      if (!script || !remove) return undefined;
      const begun = [...running.current, ...ids];
      running.current = begun;
      setBusy(new Set(begun));
      const outcome = await remove();
      running.current = running.current.filter((id) => !ids.includes(id));
      const gone = images.filter(({ id }) => outcome.gone.has(id));
      // A card that shrinks away stays busy until it is gone.
      setBusy(new Set([...running.current, ...outcome.gone]));
      if (gone.length > 0) {
        latest.current(gone);
        void script.leaveScreen(gone, now, setLeaving);
      }
      return outcome;
    },
    [latest, now],
  );
  const isAsking = useCallback(() => asking.current, []);
  return useMemo(() => ({ busy, leaving, ask, isAsking }), [busy, leaving, ask, isAsking]);
}
