import { ArrowLeft, ArrowRight, Globe } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Album } from '../../server/contract.ts';
import { focusAfter } from '../lib/focus.ts';
import { albumPath } from '../routes.ts';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Link } from '../ui/link.tsx';
import styles from './album-card.module.css';
import { NameForm } from './name-form.tsx';

interface AlbumCardProps {
  album: Album;
  count: number;
  onRename: (album: Album, name: string) => Promise<boolean>;
  onMove: (album: Album, position: number) => void;
  onDelete: (album: Album) => void;
}

interface MovingProps {
  position: number;
  count: number;
  onMove: (position: number) => void;
}

/** Buttons that move an album, if there are several. */
function Moving({ position, count, onMove }: MovingProps) {
  return (
    <>
      <IconButton
        label={texts.earlier}
        aria-disabled={position === 1 || undefined}
        onClick={() => position > 1 && onMove(position - 1)}
      >
        <ArrowLeft className="flip" />
      </IconButton>
      <IconButton
        label={texts.later}
        aria-disabled={position === count || undefined}
        onClick={() => position < count && onMove(position + 1)}
      >
        <ArrowRight className="flip" />
      </IconButton>
    </>
  );
}

/** An album's covers (one large, two small), name, count and actions. */
export function AlbumCard({ album, count, onRename, onMove, onDelete }: AlbumCardProps) {
  const [renaming, setRenaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { id, name, covers, position } = album;
  const close = () => {
    focusAfter(
      () => setRenaming(false),
      () => opener.current,
    );
  };
  return (
    <li className={styles.card}>
      <Link href={albumPath(id)} className={styles.open}>
        <span className={styles.mosaic} data-pictures={covers.length}>
          {covers.map(({ thumbnail_url, thumbnail_avif_url, width, height }) => (
            <picture key={thumbnail_url}>
              {thumbnail_avif_url ? <source type="image/avif" srcSet={thumbnail_avif_url} /> : null}
              <img src={thumbnail_url} width={width} height={height} alt="" loading="lazy" />
            </picture>
          ))}
        </span>
        <span className={styles.name}>
          <bdi className="ellipsis">{name}</bdi>
          {album.link ? <Globe aria-label={texts.link.title} role="img" /> : null}
        </span>
        <span className={styles.count}>{texts.count(album.count)}</span>
      </Link>
      {renaming ? (
        <NameForm
          name={name}
          onCancel={close}
          onSave={async (next) => {
            const kept = await onRename(album, next);
            if (kept) close();
            return kept;
          }}
        />
      ) : (
        <div className={styles.actions}>
          <Button ref={opener} variant="ghost" onClick={() => setRenaming(true)}>
            {texts.rename}
          </Button>
          <Button variant="ghost" onClick={() => onDelete(album)}>
            {texts.remove}
          </Button>
          {count > 1 ? <Moving position={position} count={count} onMove={(to) => onMove(album, to)} /> : null}
        </div>
      )}
    </li>
  );
}
