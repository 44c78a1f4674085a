import {
  type KeyboardEvent,
  useCallback,
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
import { singleKeys } from '../../session/single-keys.ts';
import { ToastHost } from '../../ui/toast-host.tsx';
import { useOpenDialog } from '../../ui/use-modal.ts';
import { around } from '../neighbours.ts';
import { placeholderUrl } from '../placeholder.ts';
import type { Deletion } from '../use-deletion.ts';
import styles from './preview.module.css';
import { PreviewActions } from './preview-actions.tsx';
import { PreviewBar } from './preview-bar.tsx';
import { commandsOf, obey } from './preview-commands.ts';
import { PreviewPanel, type Section } from './preview-panel.tsx';
import { PreviewStage } from './preview-stage.tsx';
import { Strip } from './strip.tsx';
import { type Place, useAcross } from './use-across.ts';
import { useOutside } from './use-dialog.ts';
import { canZoom } from './zoom.ts';

interface PreviewProps extends Place {
  deletion: Deletion;
  onClose: () => void;
}

/** Keeps the images of the page on which the overlay's image was last found: another upload may push it to the next page. */
function useShown(images: readonly Image[], id: string) {
  const held = useRef(images);
  if (images.some((image) => image.id === id)) held.current = images;
  return { ...around(held.current, id), shown: held.current };
}

export function Preview({ deletion, onClose, ...place }: PreviewProps) {
  const { address, kept, id, onShow } = place;
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
  const across = useAcross(place);
  const { before, after } = across;
  const offset = address.page > 1 ? (address.page - 1) * kept.pageSize : 0;
  const swiped = useMemo(
    () => [before, ...shown, after].filter((image) => image !== undefined),
    [before, shown, after],
  );

  // Details render after the image, so that a step responds at once.
  const told = useDeferredValue(current);
  const { ask } = deletion;
  const removeTold = useCallback(() => told && ask(told, dialog.current ?? undefined), [ask, told, dialog]);

  useEffect(() => {
    // The page was reloaded on an image that no longer exists.
    if (current === undefined) onClose();
  }, [current, onClose]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image starts unzoomed
  useLayoutEffect(() => {
    if ((zoom.current?.zoom ?? 1) > 1) zoom.current?.changeZoom(1, true);
  }, [id]);

  const dismiss = (): void => {
    if (deletion.isAsking()) return;
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
    if (image === before) across.cross(-1);
    else if (image === after) across.cross(1);
    else onShow(image.id);
  };
  const turn = (by: -1 | 1): void => {
    const to = by < 0 ? previous : next;
    if (to) onShow(to.id);
    else if (by < 0 ? across.hasBefore : across.hasAfter) across.cross(by);
  };
  const remove = (): void => deletion.ask(current, dialog.current ?? undefined);
  const toggle = (wanted: Section): void => setSection((now) => (now === wanted ? null : wanted));
  const commands = commandsOf({ dialog, zoom, image: current, images: shown, turn, show: onShow, toggle, remove });
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    setBare(false);
    if (!deletion.isAsking() && !isField(event.target) && !singleKeys.ignores(event))
      obey(event, commands, zoomed ? dialog.current : null);
  };
  const blur = placeholderUrl(current.placeholder);
  const canBeZoomed = canZoom(current, window);
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
        event.preventDefault();
        dismiss();
      }}
      {...outside}
    >
      <div className={styles.ambient} style={blur === null ? undefined : { backgroundImage: `url(${blur})` }} />
      <div className={styles.stage}>
        <PreviewBar
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
          hasPrevious={previous !== undefined || across.hasBefore}
          hasNext={next !== undefined || across.hasAfter}
          busy={across.busy}
          zoomed={zoomed}
          zoomRef={zoom}
          onZoomed={(isZoomed) => setZoomedId(isZoomed ? id : undefined)}
          onView={view}
          onTurn={turn}
          onClose={onClose}
        />
        <Strip images={shown} id={told.id} onShow={onShow} />
        <PreviewActions image={current} section={section} onSection={toggle} onDelete={remove} />
      </div>
      {section === null ? null : (
        <PreviewPanel image={told} section={section} deleting={deletion.busy.has(told.id)} onDelete={removeTold} />
      )}
      <ToastHost />
    </dialog>
  );
}
