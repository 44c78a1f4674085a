import { ChevronLeft, ChevronRight, ImageOff, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { texts } from '../../text/gallery.ts';
import { Button } from '../../ui/button.tsx';
import { placeholderUrl } from '../placeholder.ts';
import styles from './preview-stage.module.css';

interface PreviewStageProps {
  image: Image;
  previous: Image | undefined;
  next: Image | undefined;
  onTurn: (by: -1 | 1) => void;
}

type Loading = 'coming' | 'there' | 'failed';

/** Fetches the neighbours once the image itself is there, so that turning shows them at once. */
function usePreloaded(state: Loading, previous: Image | undefined, next: Image | undefined): void {
  const urls = [next?.screen_url, previous?.screen_url].filter((url) => url !== undefined).join('\n');
  useEffect(() => {
    if (state !== 'there' || urls === '') return;
    const pictures = urls.split('\n').map((url) => {
      const picture = new window.Image();
      picture.src = url;
      return picture;
    });
    return () => {
      for (const picture of pictures) if (!picture.complete) picture.src = '';
    };
  }, [state, urls]);
}

function Picture({ image, state, onState }: { image: Image; state: Loading; onState: (state: Loading) => void }) {
  const blur = placeholderUrl(image.placeholder);
  const size = { '--width': image.width, '--height': image.height } as React.CSSProperties;
  return (
    <div className={styles.picture} style={size}>
      {state === 'there' || blur === null ? null : <img className={styles.layer} src={blur} alt="" />}
      {state === 'there' ? null : <img className={styles.layer} src={image.thumbnail_url} alt="" />}
      <img
        className={styles.full}
        src={image.screen_url}
        alt={image.filename}
        width={image.width}
        height={image.height}
        decoding="async"
        data-state={state}
        onLoad={() => onState('there')}
        onError={() => onState('failed')}
      />
      {state === 'coming' ? <div className={styles.loading} /> : null}
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.failed} role="alert" data-inside>
      <ImageOff />
      <p>{texts.preview.failed}</p>
      <Button variant="line" onClick={onRetry}>
        <RotateCw />
        {texts.retry}
      </Button>
    </div>
  );
}

interface ArrowProps {
  to: Image | undefined;
  by: -1 | 1;
  onTurn: (by: -1 | 1) => void;
}

function Arrow({ to, by, onTurn }: ArrowProps) {
  const label = by < 0 ? texts.preview.previous : texts.preview.next;
  return (
    <button
      type="button"
      className={styles.arrow}
      data-side={by < 0 ? 'start' : 'end'}
      aria-label={label}
      title={label}
      aria-disabled={to === undefined || undefined}
      onClick={() => onTurn(by)}
    >
      {by < 0 ? <ChevronLeft className="flip" /> : <ChevronRight className="flip" />}
    </button>
  );
}

/** The picture: its blur, then its thumbnail, then itself at full size. */
function Shown({ image, previous, next }: Omit<PreviewStageProps, 'onTurn'>) {
  const [state, setState] = useState<Loading>('coming');
  const [attempt, setAttempt] = useState(0);
  usePreloaded(state, previous, next);
  const retry = (): void => {
    setState('coming');
    setAttempt(attempt + 1);
  };
  if (state === 'failed') return <Failed onRetry={retry} />;
  return <Picture key={attempt} image={image} state={state} onState={setState} />;
}

/** The picture and the ways to its neighbours, which stay while it changes: the focus may be on one of them. */
export function PreviewStage({ image, previous, next, onTurn }: PreviewStageProps) {
  return (
    <div className={styles.stage}>
      <div className={styles.room}>
        <Shown key={image.id} image={image} previous={previous} next={next} />
      </div>
      <Arrow to={previous} by={-1} onTurn={onTurn} />
      <Arrow to={next} by={1} onTurn={onTurn} />
    </div>
  );
}
