import { ImageOff, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, Suspense, useCallback, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { optionalPart } from '../../lib/lazy-part.ts';
import { useLanguage, withLaterWords } from '../../text/language.ts';
import { gallery as texts } from '../../text/words.ts';
import { CopyButton } from '../copy-button.tsx';
import { altOf, formatDate } from '../facts.ts';
import { cardSources, isTiny } from '../sources.ts';
import { pictureId } from '../wall/focus-picture.ts';
import { cardRatio } from '../wall/wall.ts';
import styles from './image-card.module.css';
import mini from './mini-button.module.css';
import { usePlaceholder } from './placeholder.ts';
import { useLongPress } from './use-long-press.ts';

// A card works without its marks, if their script fails to load.
const CardMarks = optionalPart(() =>
  withLaterWords(import('./card-marks.tsx')).then(
    ({ CardMarks }) => ({ default: CardMarks }),
    () => ({ default: () => null }),
  ),
);

/** How an image is picked: alone, as the end of a range, or to open it (which selects it in selection mode). */
export type Pick = (image: Image, how: 'one' | 'range' | 'open') => void;

interface CardPictureProps {
  image: Image;
  /** In the first row, on the first screen (both load eagerly), or below it. */
  place: 'row' | 'screen' | 'below';
  /** Whether selection mode is on: a click then selects the image. */
  picking: boolean;
  selected: boolean;
  /** Whether a resting finger drags the card instead of selecting it. */
  isDraggable?: boolean;
  onPick: Pick;
  onArrow?: (event: KeyboardEvent<HTMLButtonElement>) => void;
}

/** A card's picture: a button that opens it, or selects it in selection mode. */
export function CardPicture(props: CardPictureProps) {
  const { image, place, picking, selected, isDraggable = false, onPick, onArrow } = props;
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming');
  const [attempt, setAttempt] = useState(0);
  const blur = usePlaceholder(image.placeholder, place !== 'below');
  const { src, srcSet, avif, sizes } = cardSources(image, window.innerWidth, window.devicePixelRatio);
  // Do not measure the width here: that forces layout of every off-screen card.
  const arrived = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete) setState('there');
  }, []);
  const press = ({ shiftKey, ctrlKey, metaKey }: MouseEvent): void => {
    if (state === 'failed' && !picking) {
      setState('coming');
      setAttempt(attempt + 1);
    }
    onPick(image, shiftKey ? 'range' : ctrlKey || metaKey ? 'one' : 'open');
  };
  const longPress = useLongPress(() => onPick(image, 'one'));
  const isShown = image.hidden === undefined;
  const textId = `mark-${image.id}`;
  return (
    <button
      type="button"
      id={pictureId(image.id)}
      className={styles.picture}
      data-picture
      aria-haspopup={picking ? undefined : 'dialog'}
      aria-pressed={picking ? selected : undefined}
      aria-describedby={image.expires_at ? textId : undefined}
      onClick={press}
      {...(isDraggable ? {} : longPress)}
      onKeyDown={onArrow}
      style={blur !== null && isShown && state !== 'failed' ? { backgroundImage: `url(${blur})` } : undefined}
    >
      {state === 'failed' ? <ImageOff className={styles.broken} /> : null}
      {isShown ? (
        <picture key={attempt}>
          {avif === undefined ? null : <source type="image/avif" srcSet={avif} sizes={sizes} />}
          {/* The order matters: Safari starts loading at `src`, so every attribute that decides how comes before it. */}
          <img
            ref={arrived}
            alt={altOf(image)}
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
            data-tiny={isTiny(image, window.innerWidth) || undefined}
            onLoad={() => setState('there')}
            onError={() => setState('failed')}
          />
        </picture>
      ) : null}
      {isShown && !image.expires_at ? null : (
        <Suspense>
          <CardMarks image={image} textId={textId} />
        </Suspense>
      )}
    </button>
  );
}

/** The checkbox that selects an image. */
export function CardTick({ image, selected, onPick }: { image: Image; selected: boolean; onPick: Pick }) {
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label={texts.select.one(image.filename)}
      checked={selected}
      onClick={(event) => onPick(image, event.shiftKey ? 'range' : 'one')}
      onChange={() => {}}
    />
  );
}

interface ImageCardProps extends CardPictureProps {
  deleting: boolean;
  leaving: boolean;
  /** why its deletion failed */
  problem: string | undefined;
  onDelete: (image: Image) => void;
}

export const ImageCard = memo(function ImageCard(props: ImageCardProps) {
  useLanguage();
  const { image, deleting, leaving, onDelete } = props;
  const { selected, problem, onPick } = props;
  const nameId = `name-${image.id}`;
  return (
    <li
      className={styles.card}
      data-image={image.id}
      data-selected={selected || undefined}
      data-leaving={leaving || undefined}
      style={{ '--ratio': cardRatio(image.width, image.height).toFixed(4) } as React.CSSProperties}
    >
      <CardTick image={image} selected={selected} onPick={onPick} />
      <CardPicture
        image={image}
        place={props.place}
        picking={props.picking}
        selected={selected}
        onPick={onPick}
        onArrow={props.onArrow}
      />
      <div className={styles.row}>
        <p className={styles.name} id={nameId} title={image.filename}>
          <bdi className="ellipsis">{image.filename}</bdi>
        </p>
        {image.hidden ? null : <CopyButton className={styles.action} text={image.url} describedBy={nameId} />}
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
      {problem === undefined ? null : <p className={styles.problem}>{problem || texts.toast.deleteFailed}</p>}
    </li>
  );
});
