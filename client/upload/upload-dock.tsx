import { Pause, Play, RotateCw, Upload } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { galleryPath } from '../routes.ts';
import { upload as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { usePress } from '../ui/buttons/use-press.ts';
import { Spinner } from '../ui/progress/spinner.tsx';
import { isRetriable } from './list/pending.ts';
import type { Summary } from './send/summary.ts';
import styles from './upload-dock.module.css';
import { uploads, useUpload } from './uploads.ts';
import { createPart, usePart } from './use-part.ts';

const uploadProgress = createPart(async () => (await import('./upload-progress.tsx')).UploadProgress);

const LINK_MS = 10_000;

/** The last job's result for ten seconds, if it stored every file and this dock saw its end. */
function useJustStored(): Summary | null {
  const summary = useUpload((state) => state.summary);
  const [old, setOld] = useState(summary);
  // The link goes after ten seconds; a timer must not outlive the dock.
  useEffect(() => {
    if (summary === old) return;
    const timer = setTimeout(() => setOld(summary), LINK_MS);
    return () => clearTimeout(timer);
  }, [summary, old]);
  const isNew = summary !== null && summary !== old;
  return isNew && summary.refused.length === 0 && summary.stored > 0 ? summary : null;
}

function Words({ count, rest }: { count: string; rest: string }) {
  return (
    <p className={`${styles.text} num`}>
      <strong>{count}</strong>
      {rest}
    </p>
  );
}

interface StateProps {
  isGuest: boolean;
  files: number;
  refused: number;
  justStored: Summary | null;
}

function State({ isGuest, files, refused, justStored }: StateProps) {
  if (justStored !== null && files === 0) {
    return (
      <>
        <p className={styles.text}>
          {`${isGuest ? texts.dock.sent : texts.dock.done} ${texts.locations(justStored.locations)}`.trim()}
        </p>
        {isGuest ? null : (
          <ButtonLink variant="ghost" href={galleryPath}>
            {texts.dock.view}
          </ButtonLink>
        )}
      </>
    );
  }
  if (files === 0) return <p className={styles.text}>{texts.dock.nothing}</p>;
  return <Words {...(refused === 0 ? texts.dock.ready(files) : texts.dock.refused(refused))} />;
}

interface UploadDockProps {
  isGuest: boolean;
  onUpload: () => void;
  /** Takes the focus when a job ends and nothing is left. */
  zone: RefObject<HTMLElement | null>;
}

/** The bottom of the upload page: the state of the upload, and its buttons. */
export function UploadDock({ isGuest, onUpload, zone }: UploadDockProps) {
  const files = useUpload((state) => state.files);
  const job = useUpload((state) => state.job);
  const justStored = useJustStored();
  const UploadProgress = usePart(uploadProgress);
  const dock = useRef<HTMLDivElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const primary = useRef<HTMLButtonElement>(null);
  const isRunning = job !== null;
  const isPaused = job?.phase.kind === 'paused';
  const refused = files.filter((item) => item.status === 'refused').length;
  const isEmpty = files.length === 0;
  const [pressed, press] = usePress<'upload' | 'cancel'>();
  const wasRunning = useRef(isRunning);
  // A job may end at any time, and its end disables or removes the focused button: the focus must not fall to the page's top.
  useEffect(() => {
    if (wasRunning.current === isRunning) return;
    wasRunning.current = isRunning;
    const focused = document.activeElement;
    if (focused !== null && focused !== document.body && !dock.current?.contains(focused)) return;
    const own = next.current ?? primary.current;
    const to = !isRunning && isEmpty ? zone.current : own;
    // The dock is always visible, and scrolling to it would render the list again.
    to?.focus({ preventScroll: to === own });
  }, [isRunning, isEmpty, zone]);
  return (
    <div className={styles.dock} ref={dock} data-running={isRunning || undefined} data-guest={isGuest || undefined}>
      {job === null ? (
        <State isGuest={isGuest} files={files.length} refused={refused} justStored={justStored} />
      ) : (
        <>
          {UploadProgress === undefined ? <p className={styles.text} /> : <UploadProgress job={job} />}
          <Button variant="line" onClick={isPaused ? uploads.resume : uploads.pause}>
            {isPaused ? <Play /> : <Pause />}
            {isPaused ? texts.dock.resume : texts.dock.pause}
          </Button>
          <Button ref={next} variant="ghost" busy={pressed === 'cancel'} onClick={press('cancel', uploads.cancel)}>
            {texts.dock.cancel}
          </Button>
        </>
      )}
      {!isRunning && files.some(isRetriable) ? (
        <Button ref={next} variant="line" onClick={uploads.retryAll}>
          <RotateCw />
          {texts.dock.retryAll}
        </Button>
      ) : null}
      <Button
        ref={primary}
        variant="primary"
        size="large"
        disabled={isRunning}
        busy={pressed === 'upload'}
        onClick={press('upload', onUpload)}
      >
        {isRunning ? <Spinner /> : null}
        {isRunning || pressed === 'upload' ? null : <Upload />}
        {isRunning ? texts.dock.uploading : texts.dock.upload}
      </Button>
    </div>
  );
}
