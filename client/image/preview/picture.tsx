import { ImageOff, RotateCw } from 'lucide-react';
import { type ComponentProps, useCallback, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { preview, gallery as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadingLine } from '../../ui/progress/loading-line.tsx';
import { HiddenNotice } from '../card/hidden-picture.tsx';
import { placeholderUrl } from '../card/placeholder.ts';
import { ExpiredNotice } from '../expiry/expired-notice.tsx';
import { useIsExpired } from '../expiry/use-time-left.ts';
import { altOf } from '../facts.ts';
import type { Addresses } from '../wall/preload.ts';
import styles from './picture.module.css';

type Loading = 'coming' | 'there' | 'failed';

/** An `img` in the best format that the browser supports. */
function Rendition({ src, avif, ...rest }: Addresses & ComponentProps<'img'>) {
  return (
    <picture>
      {avif ? <source type="image/avif" srcSet={avif} /> : null}
      {/* biome-ignore lint/a11y/useAltText: passed in by the caller */}
      <img draggable={false} {...rest} src={src} />
    </picture>
  );
}

/** The original, laid over the screen rendition once it has loaded. */
function Full({ image, onFailed }: { image: Image; onFailed: () => void }) {
  const [there, setThere] = useState(false);
  return (
    <>
      <img
        className={styles.full}
        src={image.url}
        alt=""
        decoding="async"
        draggable={false}
        data-state={there ? 'there' : 'coming'}
        data-original
        onLoad={() => setThere(true)}
        onError={onFailed}
      />
      {there ? null : <LoadingLine at="container" />}
    </>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.failed} role="alert" data-inside>
      <ImageOff />
      <p>{preview.failed}</p>
      <Button variant="line" onClick={onRetry}>
        <RotateCw />
        {texts.retry}
      </Button>
    </div>
  );
}

interface PictureProps {
  image: Image;
  /** px */
  width: number;
  /** Whether it is the picture in view, not an adjacent one. */
  current: boolean;
  /** Whether to load the screen rendition, not only the blur and the thumbnail. */
  wanted: boolean;
  /** Whether to lay the original over it. */
  full: boolean;
  /** Called with its id once it is drawn. */
  onThere: (id: string) => void;
  onFullFailed: () => void;
}

/** A picture in stages: its blur, its thumbnail, then its screen rendition. */
export function Picture({ image, width, current, wanted, full, onThere, onFullFailed }: PictureProps) {
  const [state, setState] = useState<Loading>('coming');
  const [attempt, setAttempt] = useState(0);
  const blur = placeholderUrl(image.placeholder);
  // The thumbnail below stays until the picture is decoded: otherwise nothing would be visible.
  const { id } = image;
  const arrive = useCallback(
    async (element: HTMLImageElement) => {
      await element.decode().catch(() => undefined);
      setState('there');
      onThere(id);
    },
    [id, onThere],
  );
  const arrived = useCallback(
    (element: HTMLImageElement | null) => {
      if (element?.complete && element.naturalWidth > 0) void arrive(element);
    },
    [arrive],
  );
  const isExpired = useIsExpired(image);
  if (isExpired) return <ExpiredNotice />;
  if (image.hidden) return <HiddenNotice image={image} wanted={wanted} />;
  if (state === 'failed') {
    const retry = (): void => {
      setState('coming');
      setAttempt(attempt + 1);
    };
    return <Failed onRetry={retry} />;
  }
  const there = state === 'there';
  return (
    <div
      key={attempt}
      className={styles.picture}
      data-current={current || undefined}
      style={{ inlineSize: width, aspectRatio: `${image.width} / ${image.height}` }}
    >
      {there || blur === null ? null : <img className={styles.layer} src={blur} alt="" draggable={false} />}
      {there ? null : (
        <Rendition className={styles.layer} src={image.thumbnail_url} avif={image.thumbnail_avif_url} alt="" />
      )}
      {wanted ? (
        <Rendition
          ref={arrived}
          src={image.screen_url}
          avif={image.screen_avif_url}
          className={styles.full}
          alt={altOf(image)}
          width={image.width}
          height={image.height}
          decoding="async"
          data-state={state}
          onLoad={(event) => void arrive(event.currentTarget)}
          onError={() => setState('failed')}
        />
      ) : null}
      {there ? null : <LoadingLine at="container" />}
      {full && image.url !== image.screen_url ? <Full image={image} onFailed={onFullFailed} /> : null}
    </div>
  );
}
