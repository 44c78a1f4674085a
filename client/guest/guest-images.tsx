import { Clock } from 'lucide-react';
import { useId, useState } from 'react';
import type { GuestImage } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { focusOrHeading } from '../lib/focus.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { queries } from '../query/queries.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { links } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import styles from './guest.module.css';
import { imagesAt, removeImage } from './guest-queries.ts';

function Tile({ path, image, canRemove }: { path: string; image: GuestImage; canRemove: boolean }) {
  const texts = links.guest;
  const { id, filename, screen_url: screen, thumbnail_url: thumbnail, waiting } = image;
  const [busy, start] = useBusy();
  async function remove(section: HTMLElement | null): Promise<void> {
    const { title, text, yes } = texts.confirmRemove;
    if (!(await confirm({ title, text, confirm: yes, cancel: links.cancel }, links.failed))) return;
    try {
      await removeImage(path, id);
      showSuccess(texts.removed);
      focusOrHeading(section);
    } catch (error) {
      showError(texts.removeFailed, reasonOf(error));
    }
  }
  return (
    <li className={styles.tile}>
      <a href={screen} target="_blank" rel="noreferrer">
        <img src={thumbnail} alt={filename ?? texts.picture} loading="lazy" />
      </a>
      {filename === null ? null : <bdi className="ellipsis">{filename}</bdi>}
      {waiting ? (
        <p className={styles.waiting}>
          <Clock aria-hidden="true" />
          {texts.waiting}
        </p>
      ) : null}
      {canRemove ? (
        <Button
          variant="ghost"
          busy={busy}
          aria-label={texts.removeNamed(filename ?? texts.picture)}
          onClick={({ currentTarget }) => void start(() => remove(currentTarget.closest('section')))}
        >
          {texts.remove}
        </Button>
      ) : null}
    </li>
  );
}

interface GuestImagesProps {
  path: string;
  which: 'images' | 'album';
  title: string;
  empty: string;
}

/** The guest's own images, which can be removed, or those of the album. */
export function GuestImages({ path, which, title, empty }: GuestImagesProps) {
  const texts = links.guest;
  const heading = useId();
  const [page, setPage] = useState(1);
  const query = imagesAt(path, which, page);
  const { data, error, fetching } = useQuery(query);
  const shown = useLast(data);
  const last = Math.max(1, shown?.totalPages ?? 1);
  // Its last image was removed.
  if (page > last) setPage(last);
  return (
    <section className={styles.images} aria-labelledby={heading} tabIndex={-1}>
      <h2 id={heading}>{title}</h2>
      {error === undefined ? null : (
        <LoadError
          size="line"
          text={texts.imagesFailed}
          reason={reasonOf(error)}
          retry={links.retry}
          busy={fetching}
          onRetry={() => void queries.fetch(query)}
        />
      )}
      {shown?.images.length === 0 ? <p className={styles.quiet}>{empty}</p> : null}
      <ul className={styles.grid} aria-busy={fetching}>
        {shown?.images.map((image) => (
          <Tile key={image.id} path={path} image={image} canRemove={which === 'images'} />
        ))}
      </ul>
      {last > 1 ? (
        <div className={styles.pager}>
          <Button variant="line" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {texts.newer}
          </Button>
          <span className="num">{texts.page(page, last)}</span>
          <Button variant="line" disabled={page >= last} onClick={() => setPage(page + 1)}>
            {texts.older}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
