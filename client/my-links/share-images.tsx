import { useRef, useState } from 'react';
import type { Image, Share, SharePage } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { listShareImages } from '../api/shares.ts';
import { extendShare, reduceShare } from '../image/shares/shares.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { invalidate, queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Pager } from '../ui/page/pager.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import styles from './image-picker.module.css';
import { ImagePicker } from './image-picker.tsx';

const keyOf = (id: string) => ['share-images', id];

const pageOf = (id: string, page: number): Query<SharePage> => ({
  key: [...keyOf(id), String(page)],
  load: (signal) => listShareImages(id, page, signal),
});

/** The images of a selection: adds some of the gallery, and removes some. */
export function ShareImages({ share: { id, name }, onClose }: { share: Share; onClose: () => void }) {
  const { pictures } = texts.shares;
  const [page, setPage] = useState(1);
  const [isAdding, setAdding] = useState(false);
  const [busy, start] = useBusy();
  const list = useRef<HTMLUListElement>(null);
  const query = pageOf(id, page);
  const { data, error, fetching } = useQuery(query);
  const shown = useLast(data);
  // The last image of the last page was removed.
  if (data !== undefined && page > Math.max(1, data.totalPages)) setPage(Math.max(1, data.totalPages));

  const change = (work: () => Promise<Share>, done: string): void =>
    void start(async () => {
      try {
        await work();
        invalidate(keyOf(id));
        showSuccess(done);
      } catch (failure) {
        showError(texts.failed, reasonOf(failure));
      }
    });
  const add = (image: Image): void => change(() => extendShare(id, [image.id]), pictures.added);
  const remove = (image: Image): void => {
    // The button goes with its image.
    list.current?.focus();
    change(() => reduceShare(id, [image.id]), pictures.removed);
  };

  if (isAdding)
    return <ImagePicker title={pictures.addTo(name)} busy={busy} onPick={add} onClose={() => setAdding(false)} />;
  return (
    <Dialog title={pictures.of(name)} size="wide" onClose={onClose}>
      {error === undefined ? null : (
        <LoadError
          size="line"
          text={texts.picker.failed}
          reason={reasonOf(error)}
          retry={texts.retry}
          busy={fetching}
          onRetry={() => void queries.fetch(query)}
        />
      )}
      {shown?.total === 0 ? <p role="status">{pictures.none}</p> : null}
      <ul ref={list} className={styles.grid} tabIndex={-1} aria-label={pictures.of(name)} aria-busy={fetching || busy}>
        {shown?.images.map((image) => (
          <li key={image.id} className={styles.choice}>
            <img src={image.thumbnail_url} alt={image.description} loading="lazy" />
            <bdi className="ellipsis">{image.filename}</bdi>
            <Button
              variant="ghost"
              aria-label={pictures.removeNamed(image.filename)}
              aria-disabled={busy || undefined}
              onClick={busy ? undefined : () => remove(image)}
            >
              {pictures.remove}
            </Button>
          </li>
        ))}
      </ul>
      {shown && shown.totalPages > 1 ? <Pager page={page} pages={shown.totalPages} inFlow onPage={setPage} /> : null}
      <div className={styles.buttons}>
        <Button variant="ghost" onClick={onClose}>
          {texts.shares.made.done}
        </Button>
        <Button variant="quiet" onClick={() => setAdding(true)}>
          {pictures.add}
        </Button>
      </div>
    </Dialog>
  );
}
