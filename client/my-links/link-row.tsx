import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AlbumCover } from '../../server/contract.ts';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { showError } from '../ui/toast.ts';
import { useCopied } from '../ui/use-copied.ts';
import styles from './my-links.module.css';

export function CopyLink({ name, url }: { name: string; url: string }) {
  const [state, copy] = useCopied(() => showError(texts.copyRefused));
  return (
    <Button
      variant="line"
      aria-label={texts.stable.copyNamed(name)}
      onClick={(event) => copy(url, event.currentTarget)}
    >
      {state === 'copied' ? texts.copied : texts.copy}
    </Button>
  );
}

interface LinkRowProps {
  /** Undefined if there is none that visitors may see. */
  picture: Pick<AlbumCover, 'thumbnail_url' | 'thumbnail_avif_url'> | undefined;
  title: ReactNode;
  note: ReactNode;
  children: ReactNode;
}

/** A link with its picture, what is known of it, and its actions. */
export function LinkRow({ picture, title, note, children }: LinkRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.picture}>
        {picture ? (
          <picture>
            {picture.thumbnail_avif_url ? <source type="image/avif" srcSet={picture.thumbnail_avif_url} /> : null}
            <img src={picture.thumbnail_url} alt="" loading="lazy" />
          </picture>
        ) : (
          <ImageOff aria-hidden="true" />
        )}
      </span>
      <div className={styles.words}>
        <b>{title}</b>
        <p className={styles.note}>{note}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  );
}
