import { type RefObject, useCallback, useState } from 'react';
import type { CollectPage } from '../../server/contract.ts';
import { focusOnMount, isFocusLost } from '../lib/focus.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { links } from '../text/words.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { useUpload } from '../upload/uploads.ts';
import styles from './guest.module.css';
import { GuestImages } from './guest-images.tsx';

type Limits = NonNullable<CollectPage['limits']>;

const isFullOf = (limits: Limits): boolean => limits.files_left < 1 || limits.bytes_left < 1;

function LimitsLine({ limits }: { limits: Limits }) {
  const texts = links.guest;
  return (
    <ul className={styles.limits}>
      <li>{isFullOf(limits) ? texts.full : texts.left(limits.files_left, formatBytes(limits.bytes_left))}</li>
      <li>{texts.largest(formatBytes(limits.max_file_size))}</li>
      {limits.expires_at === null ? null : <li>{texts.until(formatMoment(limits.expires_at))}</li>}
      {limits.look_first ? <li>{texts.looked}</li> : null}
    </ul>
  );
}

interface FullNoticeProps {
  zone: RefObject<HTMLElement | null>;
  /** Whether it replaces the zone, which may have had the focus. */
  keepsFocus: boolean;
}

function FullNotice({ zone, keepsFocus }: FullNoticeProps) {
  const place = useCallback(
    (element: HTMLElement | null) => {
      zone.current = element;
      if (element && keepsFocus && isFocusLost()) focusOnMount(element);
    },
    [zone, keepsFocus],
  );
  return (
    <p ref={place} className={styles.full} role="status" tabIndex={-1}>
      {links.guest.full}
    </p>
  );
}

/** Adds images, and shows those that were added. */
export function GuestUpload({ path, limits }: { path: string; limits: Limits }) {
  const texts = links.guest;
  const isEmpty = useUpload((state) => state.files.length === 0);
  const isFull = isEmpty && isFullOf(limits);
  const [hadRoom, setHadRoom] = useState(!isFull);
  if (!isFull && !hadRoom) setHadRoom(true);
  const images = (
    <>
      <GuestImages path={path} which="images" title={texts.own} empty={texts.noneYet} />
      {limits.open ? <GuestImages path={path} which="album" title={texts.album} empty={texts.albumEmpty} /> : null}
    </>
  );
  return (
    <>
      {isFull ? null : <LimitsLine limits={limits} />}
      <UploadScreen isGuest closed={isFull ? (zone) => <FullNotice zone={zone} keepsFocus={hadRoom} /> : undefined}>
        {images}
      </UploadScreen>
    </>
  );
}
