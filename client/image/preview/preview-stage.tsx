import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import Lightbox, {
  ACTION_CLOSE,
  type ControllerRef,
  type Slide,
  useEvents,
  type ZoomRef,
} from 'yet-another-react-lightbox';
import Inline from 'yet-another-react-lightbox/plugins/inline';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import type { Image } from '../../../server/contract.ts';
import { preview } from '../../text/words.ts';
import { Spinner } from '../../ui/progress/spinner.tsx';
import { showError } from '../../ui/toasts/toast.ts';
import { Picture } from './picture.tsx';
import styles from './preview-stage.module.css';
import { canZoom, drawnWidth, mostZoom } from './zoom.ts';

declare module 'yet-another-react-lightbox' {
  interface PictureSlide {
    type: 'picture';
    image: Image;
  }
  interface SlideTypes {
    picture: PictureSlide;
  }
}

const plugins = [Inline, Zoom];

interface ArrowProps {
  by: -1 | 1;
  off: boolean;
  busy: boolean;
  onTurn: (by: -1 | 1) => void;
}

function Arrow({ by, off, busy, onTurn }: ArrowProps) {
  const label = by < 0 ? preview.previous : preview.next;
  const Icon = by < 0 ? ChevronLeft : ChevronRight;
  return (
    <button
      type="button"
      className={styles.arrow}
      data-chrome
      data-side={by < 0 ? 'start' : 'end'}
      aria-label={label}
      title={label}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={() => onTurn(by)}
    >
      {busy ? <Spinner /> : <Icon className="flip" />}
    </button>
  );
}

/** Closes the overlay when the picture is pulled down. */
function PulledDown({ onClose }: { onClose: () => void }) {
  const { subscribe } = useEvents();
  useEffect(() => subscribe(ACTION_CLOSE, onClose), [subscribe, onClose]);
  return null;
}

/** @param room what the picture is fitted into */
function mostZoomIn(room: HTMLElement | null, image: Image): number {
  if (room === null) return 1;
  const width = drawnWidth(image, { width: room.clientWidth, height: room.clientHeight });
  return mostZoom(image, width, window, matchMedia('(any-pointer: coarse)').matches);
}

interface PreviewStageProps {
  /** the images to swipe through, in order */
  images: readonly Image[];
  index: number;
  hasPrevious: boolean;
  hasNext: boolean;
  busy: boolean;
  zoomed: boolean;
  zoomRef: Ref<ZoomRef>;
  onZoomed: (zoomed: boolean) => void;
  onView: (image: Image) => void;
  onTurn: (by: -1 | 1) => void;
  onClose: () => void;
}

/** The pictures, which the lightbox swipes and zooms, and the buttons to the adjacent ones. */
export function PreviewStage(props: PreviewStageProps) {
  const { images, index, hasPrevious, hasNext, busy, zoomed, zoomRef, onZoomed, onView, onTurn, onClose } = props;
  const controller = useRef<ControllerRef>(null);
  const room = useRef<HTMLDivElement>(null);
  const [there, setThere] = useState<ReadonlySet<string>>(new Set());
  const arrived = useCallback((id: string) => setThere((ids) => (ids.has(id) ? ids : new Set(ids).add(id))), []);
  const slides = useMemo<Slide[]>(() => images.map((image) => ({ type: 'picture', image })), [images]);
  const current = images[index];
  const refuse = (): void => {
    onZoomed(false);
    if (typeof zoomRef === 'object') zoomRef?.current?.changeZoom(1);
    showError(preview.zoomFailed);
  };
  const { carousel, slide, gallery, slideOf } = preview.stage;
  // Unzoomed, the picture's shadow also falls on the bar and the strip.
  const edges = zoomed ? {} : { overflow: 'visible' };
  return (
    <div className={styles.stage}>
      <div className={styles.room} ref={room} data-room>
        <Lightbox
          plugins={plugins}
          slides={slides}
          index={index}
          carousel={{ finite: true, preload: 1, padding: 0, spacing: 0 }}
          animation={{ fade: 200, swipe: 260, navigation: 200, zoom: 240 }}
          controller={{ ref: controller, focus: false, aria: true, touchAction: 'none', closeOnPullDown: true }}
          zoom={{
            ref: zoomRef,
            supports: ['picture'],
            scrollToZoom: true,
            doubleClickMaxStops: 1,
            maxZoom: (found) =>
              found.type === 'picture' && !found.image.hidden ? mostZoomIn(room.current, found.image) : 1,
          }}
          labels={{ Carousel: carousel, Slide: slide, 'Photo gallery': gallery, '{index} of {total}': slideOf }}
          styles={{ container: { backgroundColor: 'transparent', ...edges }, slide: edges }}
          toolbar={{ buttons: [] }}
          on={{
            view: ({ index: at }) => {
              const image = images[at];
              if (image && image !== current) onView(image);
            },
            zoom: ({ zoom }) => onZoomed(zoom > 1.001),
          }}
          render={{
            buttonPrev: () => null,
            buttonNext: () => null,
            buttonZoom: () => null,
            controls: () => <PulledDown onClose={onClose} />,
            slide: ({ slide: found, offset, rect }) => {
              if (found.type !== 'picture') return null;
              const { image } = found;
              return (
                <Picture
                  key={image.id}
                  image={image}
                  width={drawnWidth(image, rect)}
                  current={offset === 0}
                  wanted={offset === 0 || there.has(image.id) || there.has(current?.id ?? '')}
                  full={offset === 0 && zoomed && canZoom(image, window)}
                  onThere={arrived}
                  onFullFailed={refuse}
                />
              );
            },
          }}
        />
      </div>
      <Arrow by={-1} off={!hasPrevious} busy={busy && index === 0} onTurn={onTurn} />
      <Arrow by={1} off={!hasNext} busy={busy && index === images.length - 1} onTurn={onTurn} />
    </div>
  );
}
