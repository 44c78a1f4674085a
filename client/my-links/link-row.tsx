import { ImageOff } from 'lucide-react';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import type { AlbumCover } from '../../server/contract.ts';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { useCopied } from '../ui/buttons/use-copied.ts';
import { showError } from '../ui/toasts/toast.ts';
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

type Thumbnails = Pick<AlbumCover, 'thumbnail_url' | 'thumbnail_avif_url'>;

interface LinkRowProps {
  /** An icon, or a picture; undefined if there is none that visitors may see. */
  picture: Thumbnails | ReactElement | undefined;
  title: ReactNode;
  note: ReactNode;
  children: ReactNode;
}

function Picture({ thumbnail_url: url, thumbnail_avif_url: avif }: Partial<Thumbnails>) {
  if (url === undefined) return <ImageOff aria-hidden="true" />;
  return (
    <picture>
      {avif ? <source type="image/avif" srcSet={avif} /> : null}
      <img src={url} alt="" loading="lazy" />
    </picture>
  );
}

/** A link with its picture, what is known of it, and its actions. */
export function LinkRow({ picture, title, note, children }: LinkRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.picture}>{isValidElement(picture) ? picture : <Picture {...picture} />}</span>
      <div className={styles.words}>
        <b>{title}</b>
        <p className={styles.note}>{note}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  );
}
