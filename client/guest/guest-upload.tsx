import { useEffect } from 'react';
import type { CollectPage } from '../../server/contract.ts';
import { uploadTo } from '../api/upload-target.ts';
import { usageKey } from '../query/keys.ts';
import { invalidate } from '../query/queries.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { links } from '../text/words.ts';
import { keepList } from '../upload/persist/keep-list.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { uploads, useUpload } from '../upload/uploads.ts';
import styles from './guest.module.css';
import { GuestImages } from './guest-images.tsx';

type Limits = NonNullable<CollectPage['limits']>;

/** Sends the page's uploads to the link, and restores those of an earlier visit. */
function useQueue(path: string): void {
  // The queue is outside React.
  useEffect(() => {
    uploadTo(path);
    const leaving = new AbortController();
    keepList(uploads, path, leaving.signal).catch(() => undefined);
    // A refusal may mean that the link has changed or ended.
    const off = uploads.onEvent(({ kind }) => kind === 'ended' && invalidate(usageKey));
    return () => {
      leaving.abort();
      off();
      uploads.reset();
    };
  }, [path]);
}

function LimitsLine({ limits }: { limits: Limits }) {
  const texts = links.guest;
  return (
    <ul className={styles.limits}>
      <li>{texts.left(limits.files_left, formatBytes(limits.bytes_left))}</li>
      <li>{texts.largest(formatBytes(limits.max_file_size))}</li>
      {limits.expires_at === null ? null : <li>{texts.until(formatMoment(limits.expires_at))}</li>}
      {limits.look_first ? <li>{texts.looked}</li> : null}
    </ul>
  );
}

/** Adds pictures, and shows those that were added. */
export function GuestUpload({ path, limits }: { path: string; limits: Limits }) {
  const texts = links.guest;
  useQueue(path);
  const isEmpty = useUpload((state) => state.files.length === 0);
  const isFull = limits.files_left < 1 || limits.bytes_left < 1;
  const images = (
    <>
      <GuestImages path={path} which="images" title={texts.own} empty={texts.noneYet} />
      {limits.open ? <GuestImages path={path} which="album" title={texts.album} empty={texts.albumEmpty} /> : null}
    </>
  );
  if (isFull && isEmpty) {
    return (
      <>
        <p className={styles.full} role="status">
          {texts.full}
        </p>
        {images}
      </>
    );
  }
  return (
    <>
      <LimitsLine limits={limits} />
      <UploadScreen isGuest>{images}</UploadScreen>
    </>
  );
}
