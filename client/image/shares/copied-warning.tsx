import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { openAlbum } from '../../api/albums.ts';
import { useBusy } from '../../lib/hooks/use-busy.ts';
import { copiedAmong, hasCopied } from '../../session/copied-links.ts';
import { links as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { replaceAndReport } from '../links/ask-to-replace.ts';
import type { ShareSubject } from './share-subject.ts';
import styles from './shares.module.css';

/** All images of an album, of which the screen has one page. */
async function imagesOf(album: string, signal: AbortSignal): Promise<Image[]> {
  const images: Image[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { images: more, totalPages } = await openAlbum(album, page, signal);
    images.push(...more);
    pages = totalPages;
  }
  return images;
}

/** @returns ids of the images whose permanent link was copied, and a function that reads them again */
function useCopied({ images, album }: ShareSubject) {
  const find = (of: readonly Image[]) => copiedAmong(of).map(({ id }) => id);
  const [ids, setIds] = useState(() => find(images));
  const albumId = album?.id;
  useEffect(() => {
    if (albumId === undefined || !hasCopied()) return;
    const loading = new AbortController();
    imagesOf(albumId, loading.signal).then(
      (all) => setIds(copiedAmong(all).map(({ id }) => id)),
      // It stays what is known of the page on the screen.
      () => undefined,
    );
    return () => loading.abort();
  }, [albumId]);
  return [ids, setIds] as const;
}

/** For a share whose images the screen does not know. */
export function SelectionHint() {
  return (
    <div className={styles.warning} role="status">
      <TriangleAlert aria-hidden="true" />
      <p>{texts.shares.copied.selection}</p>
    </div>
  );
}

/** Says which ways to the images do without the password of their share, and offers to close them. */
export function CopiedWarning({ subject }: { subject: ShareSubject }) {
  const words = texts.shares.copied;
  const [ids, setIds] = useCopied(subject);
  const [busy, start] = useBusy();
  const replace = async (): Promise<void> => {
    if (await replaceAndReport(ids)) setIds([]);
  };
  const hasPage = subject.album?.link != null;
  if (ids.length === 0 && !hasPage) return null;
  return (
    <div className={styles.warning} role="status">
      <TriangleAlert aria-hidden="true" />
      <div>
        {hasPage ? <p>{words.albumPage}</p> : null}
        {ids.length === 0 ? null : (
          <>
            <p>{words.text(ids.length)}</p>
            <Button variant="line" busy={busy} onClick={() => void start(replace)}>
              {words.replace(ids.length)}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
