/** Images that wait, for their owner. Their links are closed, so the page fetches them with the login. */
import { useEffect, useState } from 'react';
import type { Image } from '../../server/contract.ts';
import { waitingPicture } from '../api/collect-links.ts';
import { preview } from '../text/words.ts';
import { LoadError } from '../ui/load-error.tsx';
import { LoadingLine } from '../ui/loading-line.tsx';
import styles from './waiting-picture.module.css';

/** @returns the URL of its bytes: undefined while they load, null if they did not */
export function useWaitingPicture(id: string, which: 'thumbnail' | 'screen' | 'original'): string | null | undefined {
  const [url, setUrl] = useState<string | null>();
  // An <img> cannot send the login.
  useEffect(() => {
    const leaving = new AbortController();
    let made: string | undefined;
    waitingPicture(id, which, leaving.signal).then(
      (bytes) => {
        if (leaving.signal.aborted) return;
        made = URL.createObjectURL(bytes);
        setUrl(made);
      },
      () => {
        if (!leaving.signal.aborted) setUrl(null);
      },
    );
    return () => {
      leaving.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id, which]);
  return url;
}

interface WaitingPictureProps {
  image: Pick<Image, 'id' | 'width' | 'height' | 'screen_url'>;
  alt: string;
  /** The text of the button that tries again. */
  retry: string;
}

function Screen({ image, alt, retry, onRetry }: WaitingPictureProps & { onRetry: () => void }) {
  // Only large images, and those that browsers cannot show, have a screen rendition.
  const url = useWaitingPicture(image.id, image.screen_url.endsWith('/screen.webp') ? 'screen' : 'original');
  if (url === null) {
    return <LoadError size="line" text={preview.failed} retry={retry} busy={false} onRetry={onRetry} />;
  }
  if (url === undefined) return <LoadingLine at="container" />;
  return <img src={url} alt={alt} width={image.width} height={image.height} decoding="async" />;
}

/** The whole image, as large as there is room. */
export function WaitingPicture(props: WaitingPictureProps) {
  const [attempt, setAttempt] = useState(0);
  const retry = (): void => setAttempt(attempt + 1);
  return (
    <section className={styles.picture} tabIndex={-1}>
      <Screen key={attempt} {...props} onRetry={retry} />
    </section>
  );
}
