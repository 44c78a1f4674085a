import { useCallback, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { gallery as texts } from '../../text/words.ts';
import { showError } from '../../ui/toast.ts';
import type { Outcome } from './bulk.ts';

const NONE: ReadonlySet<string> = new Set();

/** Deletes many images after one question. Calls `onDone` with the outcome. */
export function useBulkDeletion(onDone: (outcome: Outcome) => void) {
  const [busy, setBusy] = useState(NONE);
  const running = useRef(false);
  const done = useRef(onDone);
  done.current = onDone;
  const ask = useCallback(async (images: readonly Image[]): Promise<void> => {
    if (running.current) return;
    running.current = true;
    try {
      const { deleteAsked } = await import('./bulk-deletion.ts');
      const outcome = await deleteAsked(images, () => setBusy(new Set(images.map(({ id }) => id))));
      if (outcome) done.current(outcome);
    } catch {
      showError(texts.toast.deleteFailed);
    } finally {
      running.current = false;
      setBusy(NONE);
    }
  }, []);
  return { busy, ask: useCallback((images: readonly Image[]) => void ask(images), [ask]) };
}
