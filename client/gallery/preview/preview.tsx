import { type KeyboardEvent, type PointerEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { desktop, useMediaQuery } from '../../lib/media-query.ts';
import { ToastHost } from '../../ui/toast-host.tsx';
import { around } from '../neighbours.ts';
import { placeholderUrl } from '../placeholder.ts';
import type { Deletion } from '../use-deletion.ts';
import styles from './preview.module.css';
import { PreviewActions } from './preview-actions.tsx';
import { PreviewBar } from './preview-bar.tsx';
import { PreviewPanel, type Section } from './preview-panel.tsx';
import { PreviewStage } from './preview-stage.tsx';
import { CENTRE, canZoom, type Point } from './zoom.ts';

interface PreviewProps {
  images: readonly Image[];
  id: string;
  deletion: Deletion;
  onShow: (id: string) => void;
  onClose: () => void;
}

/** An image that leaves the page while it is shown (another upload pushed it on) stays, among those it was shown with. */
function useShown(images: readonly Image[], id: string) {
  const held = useRef(images);
  if (images.some((image) => image.id === id)) held.current = images;
  return { ...around(held.current, id), count: held.current.length };
}

/** `onClosed`: the browser closed the dialog by itself, as it does on a second Esc whatever we say to the first. */
function useModal(onClosed: () => void) {
  const closed = useRef(onClosed);
  closed.current = onClosed;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const follow = (): void => closed.current();
    element.showModal();
    element.addEventListener('close', follow);
    document.documentElement.style.overflow = 'hidden';
    return () => {
      element.removeEventListener('close', follow);
      element.close();
      document.documentElement.style.overflow = '';
    };
  }, []);
  return dialog;
}

const TURNS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** By how much a key moves the picture when it is zoomed, wherever the focus is. */
const PANS: Readonly<Record<string, readonly [left: number, top: number]>> = {
  ArrowLeft: [-80, 0],
  ArrowRight: [80, 0],
  ArrowUp: [0, -80],
  ArrowDown: [0, 80],
};

/** What a key does to the zoom. */
const ZOOMS: Readonly<Record<string, Point | null>> = { '+': CENTRE, '=': CENTRE, '-': null, '0': null };

/** The zoom belongs to one image: the next one begins whole. */
function useZoom(image: Image | undefined) {
  const [zoomed, setZoomed] = useState<{ id: string; at: Point } | null>(null);
  const isOthers = zoomed !== null && zoomed.id !== image?.id;
  if (isOthers) setZoomed(null);
  const zoom = zoomed === null || isOthers ? null : zoomed.at;
  const onZoom = (at: Point | null): void => {
    setZoomed(at === null || image === undefined || !canZoom(image, window) ? null : { id: image.id, at });
  };
  return { zoom, onZoom };
}

/** What lies on the stage without being outside the picture. */
const isOutside = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, a, img, [data-inside]') === null;

export function Preview({ images, id, deletion, onShow, onClose }: PreviewProps) {
  const dialog = useModal(onClose);
  const title = useId();
  const isDesktop = useMediaQuery(desktop);
  const [section, setSection] = useState<Section | null>(isDesktop ? 'all' : null);
  const { current, previous, next, index, count } = useShown(images, id);
  const { zoom, onZoom } = useZoom(current);
  const downOutside = useRef(false);

  useEffect(() => {
    // Reloaded on an image that is no more: there is nothing to show.
    if (current === undefined) onClose();
  }, [current, onClose]);

  if (current === undefined) return null;
  const turn = (by: -1 | 1): void => {
    const to = by < 0 ? previous : next;
    if (to) onShow(to.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (deletion.isAsking() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement) return;
    const zoomTo = ZOOMS[event.key];
    if (zoomTo !== undefined) {
      event.preventDefault();
      onZoom(zoomTo);
      return;
    }
    if (event.shiftKey) return;
    if (zoom !== null) {
      const [left, top] = PANS[event.key] ?? [0, 0];
      dialog.current?.querySelector('[data-room]')?.scrollBy({ left, top });
      if (left !== 0 || top !== 0) event.preventDefault();
      return;
    }
    const by = TURNS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    turn(document.dir === 'rtl' ? (-by as -1 | 1) : by);
  };
  const dismiss = (): void => {
    if (deletion.isAsking()) return;
    if (zoom !== null) onZoom(null);
    else if (section !== null && !isDesktop) setSection(null);
    else onClose();
  };
  const remove = (): void => deletion.ask(current, dialog.current ?? undefined);
  const toggle = (wanted: Section): void => setSection((now) => (now === wanted ? null : wanted));
  const blur = placeholderUrl(current.placeholder);
  return (
    <dialog
      ref={dialog}
      className={styles.preview}
      data-panel={section !== null || undefined}
      aria-labelledby={title}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onPointerDown={(event: PointerEvent) => {
        downOutside.current = isOutside(event.target);
      }}
      onClick={(event) => {
        if (downOutside.current && isOutside(event.target)) dismiss();
      }}
    >
      <div className={styles.ambient} style={blur === null ? undefined : { backgroundImage: `url(${blur})` }} />
      <div className={styles.stage}>
        <PreviewBar
          titleId={title}
          image={current}
          position={index + 1}
          count={count}
          zoomed={canZoom(current, window) ? zoom !== null : undefined}
          onZoom={() => onZoom(zoom === null ? CENTRE : null)}
          detailsShown={section !== null}
          onDetails={() => toggle('all')}
          onClose={onClose}
        />
        <PreviewStage image={current} previous={previous} next={next} zoom={zoom} onZoom={onZoom} onTurn={turn} />
        <PreviewActions image={current} section={section} onSection={toggle} onDelete={remove} />
      </div>
      {section === null ? null : (
        <PreviewPanel image={current} section={section} deleting={deletion.busy.has(current.id)} onDelete={remove} />
      )}
      <ToastHost />
    </dialog>
  );
}
