import { useCallback, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { texts } from '../../text/gallery.ts';
import { confirm } from '../../ui/confirm.ts';
import { showError, showSuccess } from '../../ui/toast.tsx';
import type { Outcome } from './bulk.ts';

const NONE: ReadonlySet<string> = new Set();

/** Deletes many images after one question. `onDone` is told what became of them. */
export function useBulkDeletion(onDone: (outcome: Outcome) => void) {
  const [busy, setBusy] = useState(NONE);
  const running = useRef(false);
  const done = useRef(onDone);
  done.current = onDone;
  const ask = useCallback(async (images: readonly Image[]): Promise<void> => {
    const [first] = images;
    if (running.current || first === undefined) return;
    running.current = true;
    try {
      const { title, text, yes, no } = texts.confirm;
      const sure = await confirm({
        title,
        text: images.length === 1 ? text : texts.select.confirm(images.length),
        confirm: yes,
        cancel: no,
        image: { url: first.thumbnail_url, alt: first.filename },
      });
      if (!sure) return;
      setBusy(new Set(images.map(({ id }) => id)));
      const { deleteAll } = await import('./bulk.ts');
      const outcome = await deleteAll(images);
      const { gone, problems } = outcome;
      const { deleted, someLeft } = texts.select;
      if (problems.size > 0) showError(texts.toast.deleteFailed, someLeft(problems.size, images.length));
      else if (gone.size > 0) showSuccess(gone.size === 1 ? texts.toast.deleted : deleted(gone.size));
      done.current(outcome);
    } catch {
      showError(texts.toast.deleteFailed);
    } finally {
      running.current = false;
      setBusy(NONE);
    }
  }, []);
  return { busy, ask: useCallback((images: readonly Image[]) => void ask(images), [ask]) };
}
