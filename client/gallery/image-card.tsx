import { ImageOff, Trash2 } from 'lucide-react';
import { type KeyboardEvent, memo, useCallback, useState } from 'react';
import type { Image } from '../../server/contract.ts';
import { texts } from '../text/gallery.ts';
import { useLanguage } from '../text/language.ts';
import { CopyButton } from './copy-button.tsx';
import { formatDate } from './facts.ts';
import styles from './image-card.module.css';
import mini from './mini-button.module.css';
import { usePlaceholder } from './placeholder.ts';
import { cardSources } from './sources.ts';
import { cardRatio } from './wall.ts';

export const pictureId = (id: string): string => `picture-${id}`;

interface ImageCardProps {
  image: Image;
  /** In the first row, on the first screen (both wanted at once), or below it. */
  place: 'row' | 'screen' | 'below';
  deleting: boolean;
  leaving: boolean;
  onOpen: (id: string) => void;
  onDelete: (image: Image) => void;
  onArrow: (event: KeyboardEvent<HTMLButtonElement>) => void;
}

function Picture({ image, place, onOpen, onArrow }: Pick<ImageCardProps, 'image' | 'place' | 'onOpen' | 'onArrow'>) {
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming');
  const [attempt, setAttempt] = useState(0);
  const blur = usePlaceholder(image.placeholder, place !== 'below');
  const { src, srcSet, avif, sizes } = cardSources(image, window.innerWidth, window.devicePixelRatio);
  const arrived = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete && element.naturalWidth > 0) setState('there');
  }, []);
  const open = (): void => {
    if (state === 'failed') {
      setState('coming');
      setAttempt(attempt + 1);
    }
    onOpen(image.id);
  };
  return (
    <button
      type="button"
      id={pictureId(image.id)}
      className={styles.picture}
      aria-haspopup="dialog"
      onClick={open}
      onKeyDown={onArrow}
      style={blur !== null && state !== 'failed' ? { backgroundImage: `url(${blur})` } : undefined}
    >
      {state === 'failed' ? <ImageOff className={styles.broken} /> : null}
      <picture key={attempt}>
        {avif === undefined ? null : <source type="image/avif" srcSet={avif} sizes={sizes} />}
        {/* The order counts: Safari begins to load at src, so all that decides how stands before it. */}
        <img
          ref={arrived}
          alt={image.filename}
          width={image.width}
          height={image.height}
          loading={place === 'below' ? 'lazy' : 'eager'}
          fetchPriority={place === 'row' ? 'high' : 'auto'}
          decoding="async"
          draggable={false}
          sizes={sizes}
          srcSet={srcSet}
          src={src}
          data-state={state}
          onLoad={() => setState('there')}
          onError={() => setState('failed')}
        />
      </picture>
    </button>
  );
}

export const ImageCard = memo(function ImageCard(props: ImageCardProps) {
  useLanguage();
  const { image, deleting, leaving, onDelete } = props;
  const nameId = `name-${image.id}`;
  return (
    <li
      className={styles.card}
      data-leaving={leaving || undefined}
      style={{ '--ratio': cardRatio(image.width, image.height).toFixed(4) } as React.CSSProperties}
    >
      <Picture image={image} place={props.place} onOpen={props.onOpen} onArrow={props.onArrow} />
      <div className={styles.row}>
        <p className={styles.name} id={nameId} title={image.filename}>
          <bdi>{image.filename}</bdi>
        </p>
        <CopyButton className={styles.action} text={image.url} describedBy={nameId} />
        <button
          type="button"
          className={`${mini.mini} ${styles.action}`}
          data-danger={!deleting || undefined}
          data-busy={deleting || undefined}
          aria-disabled={deleting || undefined}
          aria-describedby={nameId}
          onClick={() => {
            if (!deleting) onDelete(image);
          }}
        >
          {deleting ? null : <Trash2 />}
          {deleting ? texts.card.removing : texts.card.remove}
        </button>
      </div>
      <p className={styles.date}>
        {texts.card.uploaded} <time dateTime={image.uploaded_at}>{formatDate(image.uploaded_at)}</time>
      </p>
    </li>
  );
});
