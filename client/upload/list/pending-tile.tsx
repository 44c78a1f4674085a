import { Check, RotateCw, X } from 'lucide-react';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { formatBytes } from '../../text/format-bytes.ts';
import { useLanguage } from '../../text/language.ts';
import { upload as texts } from '../../text/words.ts';
import { ProgressBar } from '../../ui/progress/progress-bar.tsx';
import { speedOf } from '../send/progress.ts';
import { useThumbnail } from '../thumbnails/use-thumbnail.ts';
import { useUpload } from '../uploads.ts';
import { extensionLabel, isRemovable, isRetriable, type PendingFile } from './pending.ts';
import styles from './pending-tile.module.css';

interface PendingTileProps {
  item: PendingFile;
  /** Position in the list, from 1, and the total, if only some files are rendered. */
  place?: number | undefined;
  of?: number | undefined;
  onRemove: (id: number) => void;
  onRetry: (id: number) => void;
}

export const removeButtonId = (id: number): string => `remove-${id}`;

function Speed({ item }: { item: PendingFile }) {
  const progress = useUpload((state) => state.progress.get(item.id));
  const speed = speedOf(progress?.samples ?? []);
  if (speed === null || (progress?.sent ?? 0) >= item.size) return null;
  return <span className={`${styles.state} ${styles.speed}`}>{texts.dock.speed(formatBytes(speed))}</span>;
}

function Picture({ item }: { item: PendingFile }) {
  const box = useRef<HTMLDivElement>(null);
  const thumbnail = useThumbnail(item.file, box);
  const [broken, setBroken] = useState(false);
  return (
    <div className={styles.picture} ref={box}>
      {thumbnail.state === 'ready' && !broken ? (
        <img src={thumbnail.url} alt="" decoding="async" draggable={false} onError={() => setBroken(true)} />
      ) : null}
      {thumbnail.state === 'none' || broken ? (
        <span className={styles.extension}>{extensionLabel(item.file.name)}</span>
      ) : null}
      {item.status === 'stored' ? (
        <span className={styles.state}>
          <Check />
          {texts.pending.uploaded}
        </span>
      ) : null}
      {item.status === 'sending' ? <Speed item={item} /> : null}
    </div>
  );
}

function Progress({ item, nameId }: { item: PendingFile; nameId: string }) {
  const sent = useUpload((state) => state.progress.get(item.id)?.sent ?? 0);
  const size = formatBytes(item.size);
  const share = item.size === 0 ? 0 : Math.round((sent / item.size) * 100);
  if (item.status === 'pending') return <p className={styles.meta}>{size}</p>;
  if (item.status === 'waiting') {
    return (
      <>
        <ProgressBar value={0} labelledBy={nameId} />
        <p className={styles.meta}>{texts.pending.waiting(size)}</p>
      </>
    );
  }
  const percent = item.status === 'stored' ? 100 : share;
  return (
    <>
      <ProgressBar value={percent} tone={item.status === 'stored' ? 'ok' : 'plain'} labelledBy={nameId} />
      <p className={styles.meta}>{percent === 100 ? size : texts.pending.part(percent, size)}</p>
    </>
  );
}

/** The tile of a pending file: its thumbnail, its remove button, and its progress or the reason it was refused. */
export const PendingTile = memo(function PendingTile({ item, place, of, onRemove, onRetry }: PendingTileProps) {
  useLanguage();
  const nameId = `pending-${item.id}`;
  const { name } = item.file;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Delete') onRemove(item.id);
  };
  return (
    <li className={styles.tile} data-status={item.status} aria-posinset={place} aria-setsize={of}>
      <Picture item={item} />
      {isRemovable(item) ? (
        <button
          type="button"
          id={removeButtonId(item.id)}
          className={styles.remove}
          aria-label={texts.pending.remove(name)}
          onClick={() => onRemove(item.id)}
          onKeyDown={onKeyDown}
        >
          <X />
        </button>
      ) : null}
      <p className={styles.name} id={nameId} title={name}>
        <bdi className="ellipsis">{name}</bdi>
      </p>
      {item.status === 'refused' ? (
        <>
          <div className={styles.refused} aria-hidden="true" />
          <p className={styles.reason}>
            {texts.pending.notUploaded}. {item.reason}
          </p>
          {isRetriable(item) ? (
            <button
              type="button"
              className={styles.retry}
              aria-label={texts.pending.retryNamed(name)}
              onClick={() => onRetry(item.id)}
            >
              <RotateCw />
              {texts.pending.retry}
            </button>
          ) : null}
        </>
      ) : (
        <Progress item={item} nameId={nameId} />
      )}
    </li>
  );
});
