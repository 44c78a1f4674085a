import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ZoomRef } from 'yet-another-react-lightbox';
import type { Image } from '../../../server/contract.ts';
import { isField } from '../../lib/keyboard.ts';
import { desktop, useMediaQuery } from '../../lib/media-query.ts';
import { ToastHost } from '../../ui/toast-host.tsx';
import { useOpenDialog } from '../../ui/use-modal.ts';
import { useIsExpired } from '../expiry/use-time-left.ts';
import type { KeptPage } from '../kept-page.ts';
import { around } from '../neighbours.ts';
import { placeholderUrl } from '../placeholder.ts';
import styles from './preview.module.css';
import { PreviewActions } from './preview-actions.tsx';
import { PreviewBar } from './preview-bar.tsx';
import { commandsOf, handleKey } from './preview-commands.ts';
import { PreviewPanel, type Section } from './preview-panel.tsx';
import type { PreviewParts } from './preview-parts.ts';
import { PreviewStage } from './preview-stage.tsx';
import { Strip } from './strip.tsx';
import type { AdjacentPages } from './use-adjacent-pages.ts';
import { useOutside } from './use-dialog.ts';
import { canZoom } from './zoom.ts';

/** Deletes images after a question. */
export interface PreviewDeletion {
  /** ids of the images being deleted */
  readonly busy: ReadonlySet<string>;
  readonly ask: (image: Image, target: HTMLElement | undefined) => void;
  /** Whether the question is on the screen: it has the keyboard then. */
  readonly isAsking: () => boolean;
}

interface PreviewProps {
  parts: PreviewParts;
  /** The page of the list on the screen, from 1. */
  page: number;
  kept: KeptPage;
  /** id of the current image */
  id: string;
  adjacent: AdjacentPages;
  /** Undefined where images are not deleted. */
  deletion: PreviewDeletion | undefined;
  onShow: (id: string) => void;
  onClose: () => void;
}

/** Keeps the images of the page on which the overlay's image was last found, until the overlay has followed it to another. */
function useShown(images: readonly Image[], id: string) {
  const [held, setHeld] = useState(images);
  const isHere = images.some((image) => image.id === id);
  if (isHere && images !== held) setHeld(images);
  const shown = isHere ? images : held;
  return { ...around(shown, id), shown };
}

export function Preview({ parts, page, kept, id, adjacent, deletion, onShow, onClose }: PreviewProps) {
  const dialog = useOpenDialog(onClose);
  const title = useId();
  const isDesktop = useMediaQuery(desktop);
  const [section, setSection] = useState<Section | null>(isDesktop ? 'all' : null);
  const { current, previous, next, index, shown } = useShown(kept.images, id);
  /** Whether the controls are hidden. */
  const [bare, setBare] = useState(false);
  const [zoomedId, setZoomedId] = useState<string>();
  const zoomed = zoomedId === id;
  const zoom = useRef<ZoomRef>(null);
  const { before, after } = adjacent;
  const offset = page > 1 ? (page - 1) * kept.pageSize : 0;
  const swiped = useMemo(
    () => [before, ...shown, after].filter((image) => image !== undefined),
    [before, shown, after],
  );

  // Details render after the image, so that a step responds at once.
  const told = useDeferredValue(current);
  const isExpired = useIsExpired(current ?? { expires_at: null });
  const ask = deletion?.ask;
  const removeTold = useMemo(() => ask && (() => told && ask(told, dialog.current ?? undefined)), [ask, told, dialog]);

  useEffect(() => {
    // The page was reloaded on an image that no longer exists.
    if (current === undefined) onClose();
  }, [current, onClose]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image starts unzoomed
  useLayoutEffect(() => {
    if ((zoom.current?.zoom ?? 1) > 1) zoom.current?.changeZoom(1, true);
  }, [id]);

  const isAsking = (): boolean => deletion?.isAsking() ?? false;
  /** Not in a dialog above the overlay. */
  const isOwn = (target: EventTarget): boolean =>
    target instanceof Element && target.closest('dialog') === dialog.current;
  const dismiss = (): void => {
    if (isAsking()) return;
    if (zoomed) zoom.current?.changeZoom(1);
    else if (section !== null && !isDesktop) setSection(null);
    else onClose();
  };
  const outside = useOutside(dismiss, () => {
    if (section !== null && !isDesktop) setSection(null);
    else setBare(!bare);
  });
  if (current === undefined || told === undefined) return null;

  const view = (image: Image): void => {
    if (image === before) adjacent.cross(-1);
    else if (image === after) adjacent.cross(1);
    else onShow(image.id);
  };
  const turn = (by: -1 | 1): void => {
    const to = by < 0 ? previous : next;
    if (to) onShow(to.id);
    else if (by < 0 ? adjacent.hasBefore : adjacent.hasAfter) adjacent.cross(by);
  };
  const isDeleting = deletion?.busy.has(current.id) ?? false;
  const remove = deletion && ((): void => deletion.ask(current, dialog.current ?? undefined));
  const toggle = (wanted: Section): void => setSection((now) => (now === wanted ? null : wanted));
  const commands = commandsOf({ dialog, zoom, image: current, images: shown, turn, show: onShow, toggle, remove });
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    setBare(false);
    if (!isAsking() && isOwn(event.target) && !isField(event.target) && !parts.ignoresKey(event))
      handleKey(event, commands, zoomed ? dialog.current : null);
  };
  const blur = placeholderUrl(current.placeholder);
  const canBeZoomed = !isExpired && canZoom(current, window);
  return (
    <dialog
      ref={dialog}
      className={styles.preview}
      data-panel={section !== null || undefined}
      data-bare={bare || undefined}
      aria-labelledby={title}
      onKeyDownCapture={onKeyDownCapture}
      onFocusCapture={({ target }) => {
        // A control that gets the focus, for example by Tab, must be visible.
        if (target.closest('[data-room]') === null && target !== dialog.current) setBare(false);
      }}
      onCancel={(event) => {
        if (!isOwn(event.target)) return;
        event.preventDefault();
        dismiss();
      }}
      {...outside}
    >
      <div className={styles.ambient} style={blur === null ? undefined : { backgroundImage: `url(${blur})` }} />
      <div className={styles.stage}>
        <PreviewBar
          parts={parts}
          titleId={title}
          image={current}
          position={offset + index + 1}
          count={kept.total}
          zoomed={canBeZoomed ? zoomed : undefined}
          onZoomIn={commands.zoomIn}
          onZoomOut={commands.zoomOut}
          onZoom={() => zoom.current?.changeZoom(zoomed ? 1 : zoom.current.maxZoom)}
          detailsShown={section !== null}
          onDetails={() => toggle('all')}
          onClose={onClose}
        />
        <PreviewStage
          images={swiped}
          index={index + (before ? 1 : 0)}
          hasPrevious={previous !== undefined || adjacent.hasBefore}
          hasNext={next !== undefined || adjacent.hasAfter}
          busy={adjacent.busy}
          zoomed={zoomed}
          zoomRef={zoom}
          onZoomed={(isZoomed) => setZoomedId(isZoomed ? id : undefined)}
          onView={view}
          onTurn={turn}
          onClose={onClose}
        />
        <Strip images={shown} id={told.id} onShow={onShow} />
        <PreviewActions
          parts={parts}
          image={current}
          section={section}
          onSection={toggle}
          deleting={isDeleting}
          onDelete={remove}
        />
      </div>
      {section === null ? null : (
        <PreviewPanel
          parts={parts}
          image={told}
          section={section}
          deleting={deletion?.busy.has(told.id) ?? false}
          onDelete={removeTold}
        />
      )}
      <ToastHost />
    </dialog>
  );
}
