import {
  type KeyboardEvent,
  type RefObject,
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
import { desktop, useMediaQuery } from '../../lib/media-query.ts';
import { useOpenDialog } from '../../ui/dialogs/use-modal.ts';
import { ToastHost } from '../../ui/toasts/toast-host.tsx';
import { useIsExpired } from '../expiry/use-time-left.ts';
import type { KeptPage } from '../wall/kept-page.ts';
import styles from './preview.module.css';
import { PreviewActions } from './preview-actions.tsx';
import { PreviewBar } from './preview-bar.tsx';
import { commandsOf, handleKey } from './preview-commands.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { PreviewPanel, type Section } from './preview-panel.tsx';
import type { PreviewParts } from './preview-parts.ts';
import { PreviewStage } from './preview-stage.tsx';
import type { AdjacentPages } from './steps/use-adjacent-pages.ts';
import { type Steps, useSteps } from './steps/use-steps.ts';
import { Strip } from './strip.tsx';
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

/** The zoom of the picture. Another image starts unzoomed. */
function useZoom(id: string) {
  const ref = useRef<ZoomRef>(null);
  const [zoomedId, setZoomedId] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image starts unzoomed
  useLayoutEffect(() => {
    if ((ref.current?.zoom ?? 1) > 1) ref.current?.changeZoom(1, true);
  }, [id]);
  return {
    zoom: ref,
    zoomed: zoomedId === id,
    onZoomed: (isZoomed: boolean): void => setZoomedId(isZoomed ? id : undefined),
  };
}

/** The section of the panel that is open. On phones it is a sheet over the picture. */
function useSection() {
  const isDesktop = useMediaQuery(desktop);
  const [section, setSection] = useState<Section | null>(isDesktop ? 'all' : null);
  return {
    section,
    toggle: (wanted: Section): void => setSection((now) => (now === wanted ? null : wanted)),
    closeSheet: section === null || isDesktop ? undefined : (): void => setSection(null),
  };
}

/** Deletes images after a question. `remove` and `removeTold` are undefined where images are not deleted. */
function useImageDeletion(
  deletion: PreviewDeletion | undefined,
  dialog: RefObject<HTMLElement | null>,
  { current, told }: { current: Image; told: Image },
) {
  const ask = deletion?.ask;
  const removeTold = useMemo(() => ask && (() => ask(told, dialog.current ?? undefined)), [ask, told, dialog]);
  return {
    isAsking: (): boolean => deletion?.isAsking() ?? false,
    isBusy: ({ id }: Image): boolean => deletion?.busy.has(id) ?? false,
    remove: ask && ((): void => ask(current, dialog.current ?? undefined)),
    removeTold,
  };
}

/** The overlay. It closes if its image no longer exists. */
export function Preview(props: PreviewProps) {
  const { kept, id, adjacent, onShow, onClose } = props;
  const steps = useSteps(kept.images, id, adjacent, onShow);
  const { current } = steps;
  // Details render after the image, so that a step responds at once.
  const told = useDeferredValue(current);
  useEffect(() => {
    // The page was reloaded on an image that no longer exists.
    if (current === undefined) onClose();
  }, [current, onClose]);
  if (current === undefined || told === undefined) return null;
  return <ImagePreview {...props} steps={steps} current={current} told={told} />;
}

interface ImagePreviewProps extends PreviewProps {
  steps: Steps;
  current: Image;
  /** The image whose details are shown: `current`, or the one before while they render. */
  told: Image;
}

function ImagePreview(props: ImagePreviewProps) {
  const { parts, page, kept, id, adjacent, deletion, onShow, onClose, steps, current, told } = props;
  const { shown, turn } = steps;
  const dialog = useOpenDialog(onClose);
  const title = useId();
  const { section, toggle, closeSheet } = useSection();
  const { zoom, zoomed, onZoomed } = useZoom(id);
  const isExpired = useIsExpired(current);
  const { isAsking, isBusy, remove, removeTold } = useImageDeletion(deletion, dialog, { current, told });

  const dismiss = (): void => {
    if (isAsking()) return;
    if (zoomed) zoom.current?.changeZoom(1);
    else (closeSheet ?? onClose)();
  };
  const commands = commandsOf({ dialog, zoom, image: current, images: shown, turn, show: onShow, toggle, remove });
  const onKey = (event: KeyboardEvent): void => {
    if (!isAsking() && !parts.ignoresKey(event)) handleKey(event, commands, zoomed ? dialog.current : null);
  };
  const offset = page > 1 ? (page - 1) * kept.pageSize - kept.deletedBefore : 0;
  return (
    <PreviewDialog
      dialog={dialog}
      titleId={title}
      image={current}
      hasPanel={section !== null}
      closeSheet={closeSheet}
      onDismiss={dismiss}
      onKey={onKey}
    >
      <div className={styles.stage}>
        <PreviewBar
          parts={parts}
          titleId={title}
          image={current}
          position={offset + steps.index + 1}
          count={kept.total}
          zoomed={!isExpired && canZoom(current, window) ? zoomed : undefined}
          onZoomIn={commands.zoomIn}
          onZoomOut={commands.zoomOut}
          onZoom={() => zoom.current?.changeZoom(zoomed ? 1 : zoom.current.maxZoom)}
          detailsShown={section !== null}
          onDetails={() => toggle('all')}
          onClose={onClose}
        />
        <PreviewStage
          images={steps.swiped}
          index={steps.index + (adjacent.before ? 1 : 0)}
          hasPrevious={steps.hasPrevious}
          hasNext={steps.hasNext}
          busy={adjacent.busy}
          zoomed={zoomed}
          zoomRef={zoom}
          onZoomed={onZoomed}
          onView={steps.view}
          onTurn={turn}
          onClose={onClose}
        />
        <Strip images={shown} id={told.id} onShow={onShow} />
        <PreviewActions
          parts={parts}
          image={current}
          section={section}
          onSection={toggle}
          deleting={isBusy(current)}
          onDelete={remove}
        />
      </div>
      {section === null ? null : (
        <PreviewPanel parts={parts} image={told} section={section} deleting={isBusy(told)} onDelete={removeTold} />
      )}
      <ToastHost />
    </PreviewDialog>
  );
}
