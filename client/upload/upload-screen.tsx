import { type ReactNode, type RefObject, useDeferredValue, useRef } from 'react';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { upload as texts } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import { showError } from '../ui/toasts/toast.ts';
import { DropZone } from './drop-zone.tsx';
import { addFiles, useIncomingFiles } from './incoming-files.ts';
import { withoutSystemFiles } from './system-files.ts';
import { UploadDock } from './upload-dock.tsx';
import styles from './upload-screen.module.css';
import { uploads, useUpload } from './uploads.ts';
import { createPart, usePart, usePartFailure } from './use-part.ts';

const announcer = createPart(async () => (await import('./announcer.tsx')).Announcer);
const pendingList = createPart(async () => (await import('./list/pending-list.tsx')).PendingList);
const uploadSummary = createPart(async () => (await import('./upload-summary.tsx')).UploadSummary);

const choose = (files: readonly File[]): void => addFiles(withoutSystemFiles(files));

interface UploadScreenProps {
  /** Guests of a collect link have no gallery to go to. */
  isGuest?: boolean;
  /** Shown if nothing can be added, instead of the zone. Gets the ref of what takes the focus. */
  closed?: ((zone: RefObject<HTMLElement | null>) => ReactNode) | undefined;
  /** Above the dock. */
  children?: ReactNode;
}

/** The ways to add files, the pending list, and the upload button. */
export function UploadScreen({ isGuest = false, closed, children }: UploadScreenProps) {
  const isEmpty = useUpload((state) => state.files.length === 0);
  const isRunning = useUpload((state) => state.job !== null);
  // Its new height moves the whole list, so the pressed button answers first.
  const isCompact = useDeferredValue(isRunning);
  const summary = useUpload((state) => (state.summaryOpen ? state.summary : null));
  const zone = useRef<HTMLButtonElement>(null);
  const isOver = useIncomingFiles(!closed);
  const Announcer = usePart(announcer);
  const PendingList = usePart(pendingList);
  const hasNoList = usePartFailure(pendingList);
  const [loading, start] = useBusy();
  const UploadSummary = usePart(uploadSummary);
  const upload = (): void => {
    // A second click, before the button was disabled.
    if (uploads.getState().job !== null) return;
    if (uploads.start()) return;
    showError(texts.toast.none);
    zone.current?.focus();
  };
  return (
    <>
      {closed?.(zone) ?? <DropZone ref={zone} over={isOver} compact={isCompact} onFiles={choose} />}
      {summary === null || UploadSummary === undefined ? null : <UploadSummary summary={summary} zone={zone} />}
      {isEmpty || PendingList === undefined ? null : <PendingList zone={zone} />}
      {!isEmpty && PendingList === undefined && hasNoList ? (
        <LoadError
          size="bar"
          text={texts.pending.loadFailed}
          retry={texts.pending.retry}
          busy={loading}
          onRetry={() => void start(pendingList.load)}
        />
      ) : null}
      {children}
      {closed && summary === null ? null : (
        <>
          <div className={styles.gap} />
          <UploadDock isGuest={isGuest} onUpload={upload} zone={zone} />
        </>
      )}
      {Announcer === undefined ? null : <Announcer />}
    </>
  );
}
