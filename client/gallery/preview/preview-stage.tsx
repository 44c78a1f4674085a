import { ChevronLeft, ChevronRight, ImageOff, RotateCw } from 'lucide-react';
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Image } from '../../../server/contract.ts';
import { texts } from '../../text/gallery.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/toast.tsx';
import { altOf } from '../facts.ts';
import { placeholderUrl } from '../placeholder.ts';
import { type Addresses, warm } from '../warm.ts';
import styles from './preview-stage.module.css';
import { canZoom, fullWidth, type Point, pointIn } from './zoom.ts';

interface PreviewStageProps {
  image: Image;
  previous: Image | undefined;
  next: Image | undefined;
  /** The place that is looked at, at full size; null: the whole picture is in sight. */
  zoom: Point | null;
  onZoom: (zoom: Point | null) => void;
  onTurn: (by: -1 | 1) => void;
}

type Loading = 'coming' | 'there' | 'failed';

const screenOf = (image: Image) => ({ src: image.screen_url, avif: image.screen_avif_url });

/** Fetches the neighbours once the image itself is there, so that turning shows them at once. */
function usePreloaded(state: Loading, previous: Image | undefined, next: Image | undefined): void {
  useEffect(() => {
    if (state !== 'there') return;
    return warm([next, previous].filter((image) => image !== undefined).map(screenOf));
  }, [state, previous, next]);
}

/** An `img` in the newest form that the browser knows. */
function Rendition({ src, avif, ...rest }: Addresses & ComponentProps<'img'>) {
  return (
    <picture>
      {avif ? <source type="image/avif" srcSet={avif} /> : null}
      {/* biome-ignore lint/a11y/useAltText: handed in */}
      <img {...rest} src={src} />
    </picture>
  );
}

/** The original over its screen size, once it has arrived. */
function Full({ image, onFailed }: { image: Image; onFailed: () => void }) {
  const [there, setThere] = useState(false);
  return (
    <>
      <img
        className={styles.full}
        src={image.url}
        alt=""
        decoding="async"
        data-state={there ? 'there' : 'coming'}
        data-original
        onLoad={() => setThere(true)}
        onError={onFailed}
      />
      {there ? null : <div className={styles.loading} />}
    </>
  );
}

interface PictureProps extends Pick<PreviewStageProps, 'image' | 'zoom' | 'onZoom'> {
  state: Loading;
  onState: (state: Loading) => void;
}

function Picture({ image, state, zoom, onState, onZoom }: PictureProps) {
  const blur = placeholderUrl(image.placeholder);
  const size = {
    '--width': image.width,
    '--height': image.height,
    '--full': fullWidth(image, window.devicePixelRatio),
  } as React.CSSProperties;
  const toggle = (event: MouseEvent<HTMLElement>): void => {
    if (zoom !== null) onZoom(null);
    else if (canZoom(image, window)) onZoom(pointIn(event.currentTarget.getBoundingClientRect(), event));
  };
  const refuse = (): void => {
    onZoom(null);
    showError(texts.preview.zoomFailed);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way to what the button of the bar does
    <div className={styles.picture} style={size} data-zoomed={zoom !== null || undefined} onDoubleClick={toggle}>
      {state === 'there' || blur === null ? null : <img className={styles.layer} src={blur} alt="" />}
      {state === 'there' ? null : (
        <Rendition className={styles.layer} src={image.thumbnail_url} avif={image.thumbnail_avif_url} alt="" />
      )}
      <Rendition
        {...screenOf(image)}
        className={styles.full}
        alt={altOf(image)}
        width={image.width}
        height={image.height}
        decoding="async"
        data-state={state}
        onLoad={() => onState('there')}
        onError={() => onState('failed')}
      />
      {state === 'coming' ? <div className={styles.loading} /> : null}
      {zoom !== null && image.url !== image.screen_url ? <Full image={image} onFailed={refuse} /> : null}
    </div>
  );
}

/** The room that the picture has; zoomed, it is scrolled, and begins with the wanted place in its middle. */
function Room({ zoom, children }: { zoom: Point | null; children: ReactNode }) {
  const room = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = room.current;
    if (element === null || zoom === null) return;
    element.scrollLeft = zoom.x * element.scrollWidth - element.clientWidth / 2;
    element.scrollTop = zoom.y * element.scrollHeight - element.clientHeight / 2;
  }, [zoom]);
  return (
    <div
      ref={room}
      data-room
      className={styles.room}
      data-zoomed={zoom !== null || undefined}
      tabIndex={zoom === null ? -1 : 0}
    >
      {children}
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

/** The picture: its blur, then its thumbnail, then its screen size. */
function Shown({ image, previous, next, zoom, onZoom }: Omit<PreviewStageProps, 'onTurn'>) {
  const [state, setState] = useState<Loading>('coming');
  const [attempt, setAttempt] = useState(0);
  usePreloaded(state, previous, next);
  const retry = (): void => {
    setState('coming');
    setAttempt(attempt + 1);
  };
  if (state === 'failed') return <Failed onRetry={retry} />;
  return <Picture key={attempt} image={image} state={state} zoom={zoom} onState={setState} onZoom={onZoom} />;
}

/** The picture and the ways to its neighbours, which stay while it changes: the focus may be on one of them. */
export function PreviewStage({ onTurn, ...shown }: PreviewStageProps) {
  return (
    <div className={styles.stage}>
      <Room zoom={shown.zoom}>
        <Shown key={shown.image.id} {...shown} />
      </Room>
      <Arrow to={shown.previous} by={-1} onTurn={onTurn} />
      <Arrow to={shown.next} by={1} onTurn={onTurn} />
    </div>
  );
}
