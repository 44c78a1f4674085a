import { ArrowLeft, ArrowRight, EyeOff } from 'lucide-react';
import { useId } from 'react';
import type { Image } from '../../server/contract.ts';
import { preview, albums as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './albums.module.css';

interface AlbumImageProps {
  image: Image;
  isCover: boolean;
  isFirst: boolean;
  isLast: boolean;
  onCover: () => void;
  onMove: (where: 'earlier' | 'later') => void;
  onRemove: () => void;
}

/** A picture of an album, with its actions. */
export function AlbumImage({ image, isCover, isFirst, isLast, onCover, onMove, onRemove }: AlbumImageProps) {
  const name = useId();
  const { url, thumbnail_url, width, height, filename } = image;
  return (
    <li className={styles.item}>
      {image.hidden ? (
        <div className={styles.picture} data-hidden>
          <EyeOff />
          {preview.hidden.card}
        </div>
      ) : (
        <a className={styles.picture} href={url} target="_blank" rel="noreferrer">
          <img src={thumbnail_url} width={width} height={height} alt={filename} loading="lazy" />
        </a>
      )}
      <p id={name} className={`ellipsis ${styles.filename}`}>
        <bdi>{filename}</bdi>
      </p>
      <div className={styles.actions}>
        <Button variant="ghost" aria-pressed={isCover} aria-describedby={name} onClick={onCover}>
          {isCover ? texts.image.cover : texts.image.setCover}
        </Button>
        <Button variant="ghost" aria-describedby={name} onClick={onRemove}>
          {texts.image.remove}
        </Button>
        <IconButton
          label={texts.earlier}
          aria-describedby={name}
          aria-disabled={isFirst || undefined}
          onClick={() => !isFirst && onMove('earlier')}
        >
          <ArrowLeft className="flip" />
        </IconButton>
        <IconButton
          label={texts.later}
          aria-describedby={name}
          aria-disabled={isLast || undefined}
          onClick={() => !isLast && onMove('later')}
        >
          <ArrowRight className="flip" />
        </IconButton>
      </div>
    </li>
  );
}
