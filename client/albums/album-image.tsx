import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useId } from 'react';
import type { Image } from '../../server/contract.ts';
import { CardPicture, CardTick, type Pick } from '../image/card/image-card.tsx';
import { CopyButton } from '../image/copy-button.tsx';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import styles from './albums.module.css';

interface AlbumImageProps {
  image: Image;
  /** Whether it is near the top of the page, and loads eagerly. */
  isNear: boolean;
  isCover: boolean;
  isFirst: boolean;
  isLast: boolean;
  picking: boolean;
  selected: boolean;
  onPick: Pick;
  onCover: () => void;
  onMove: (where: 'earlier' | 'later') => void;
  onRemove: () => void;
}

/** A picture of an album, with its actions. */
export function AlbumImage({ image, isNear, isCover, isFirst, isLast, picking, selected, ...on }: AlbumImageProps) {
  const name = useId();
  return (
    <li className={styles.item} data-image={image.id} data-selected={selected || undefined}>
      <CardTick image={image} selected={selected} onPick={on.onPick} />
      <CardPicture
        image={image}
        place={isNear ? 'screen' : 'below'}
        picking={picking}
        selected={selected}
        isDraggable
        onPick={on.onPick}
      />
      <div className={styles.row}>
        <p id={name} className={`ellipsis ${styles.filename}`} title={image.filename}>
          <bdi>{image.filename}</bdi>
        </p>
        {image.hidden ? null : <CopyButton text={image.url} describedBy={name} />}
      </div>
      <div className={styles.actions}>
        <Button variant="ghost" aria-describedby={name} onClick={on.onCover}>
          {isCover ? texts.image.cover : texts.image.setCover}
        </Button>
        <Button variant="ghost" aria-describedby={name} onClick={on.onRemove}>
          {texts.image.remove}
        </Button>
        <IconButton
          label={texts.earlier}
          aria-describedby={name}
          aria-disabled={isFirst || undefined}
          onClick={() => !isFirst && on.onMove('earlier')}
        >
          <ArrowLeft className="flip" />
        </IconButton>
        <IconButton
          label={texts.later}
          aria-describedby={name}
          aria-disabled={isLast || undefined}
          onClick={() => !isLast && on.onMove('later')}
        >
          <ArrowRight className="flip" />
        </IconButton>
      </div>
    </li>
  );
}
