import { Pause, Play, RotateCw, Upload } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { afterPaint } from '../lib/after-paint.ts';
import { texts } from '../text/upload.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './upload-dock.module.css';
import { RunProgress } from './upload-progress.tsx';
import type { UploadState } from './upload-store.ts';
import { uploads } from './uploads.ts';

const LINK_MS = 10_000;

function Words({ count, rest }: { count: string; rest: string }) {
  return (
    <p className={`${styles.text} num`}>
      <strong>{count}</strong>
      {rest}
    </p>
  );
}

/** The message for ten seconds after a run that stored every file. */
function useJustStored(): string | null {
  const [just, setJust] = useState<string | null>(null);
  useEffect(
    () =>
      uploads.onEvent((event) => {
        const well = event.kind === 'ended' && event.refused === 0 && event.stored > 0;
        if (well) setJust(`${texts.dock.done} ${texts.locations(event.locations)}`.trim());
        else if (event.kind === 'ended' || event.kind === 'started') setJust(null);
      }),
    [],
  );
  useEffect(() => {
    if (just === null) return;
    const timer = setTimeout(() => setJust(null), LINK_MS);
    return () => clearTimeout(timer);
  }, [just]);
  return just;
}

function Standing({ state, justStored }: { state: UploadState; justStored: string | null }) {
  const refused = state.files.filter((item) => item.status === 'refused').length;
  if (justStored !== null && state.files.length === 0) {
    return (
      <>
        <p className={styles.text}>{justStored}</p>
        <ButtonLink variant="ghost" href="/dashboard/images">
          {texts.dock.view}
        </ButtonLink>
      </>
    );
  }
  if (state.files.length === 0) return <p className={styles.text}>{texts.dock.nothing}</p>;
  if (refused === 0) return <Words {...texts.dock.ready(state.files.length)} />;
  return <Words {...texts.dock.refused(refused)} />;
}

/** Lists longer than this are changed only after the button's response is painted. */
const MANY = 200;

interface UploadDockProps {
  state: UploadState;
  onUpload: () => void;
  /** Takes the focus when a run ends successfully. */
  zone: RefObject<HTMLElement | null>;
}

/** The bottom of the upload page: the state of the upload, and its buttons. */
export function UploadDock({ state, onUpload, zone }: UploadDockProps) {
  const dock = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const retry = useRef<HTMLButtonElement>(null);
  const justStored = useJustStored();
  const running = state.run !== null;
  const later = (work: () => void) => (): void => (state.files.length > MANY ? afterPaint(work) : work());
  const refused = state.files.some((item) => item.status === 'refused');
  const wasRunning = useRef(running);
  useEffect(() => {
    if (wasRunning.current === running) return;
    wasRunning.current = running;
    // The pressed button is disabled or gone: do not let its focus fall to the top of the page.
    const focused = document.activeElement;
    if (focused !== null && focused !== document.body && !dock.current?.contains(focused)) return;
    (running ? cancel : retry).current?.focus();
    if (!running && retry.current === null) zone.current?.focus();
  }, [running, zone]);
  return (
    <div className={styles.dock} ref={dock} data-running={running || undefined}>
      {state.run === null ? <Standing state={state} justStored={justStored} /> : null}
      {state.run === null ? null : <RunProgress state={state} run={state.run} />}
      {state.run === null ? null : (
        <Button variant="line" onClick={later(state.run.paused ? uploads.resume : uploads.pause)}>
          {state.run.paused ? <Play /> : <Pause />}
          {state.run.paused ? texts.dock.resume : texts.dock.pause}
        </Button>
      )}
      {running ? (
        <Button ref={cancel} variant="ghost" onClick={later(uploads.cancel)}>
          {texts.dock.cancel}
        </Button>
      ) : null}
      {!running && refused ? (
        <Button ref={retry} variant="line" onClick={later(uploads.retryAll)}>
          <RotateCw />
          {texts.dock.retryAll}
        </Button>
      ) : null}
      <Button variant="primary" size="large" disabled={running} onClick={later(onUpload)}>
        {running ? <Spinner /> : <Upload />}
        {running ? texts.dock.uploading : texts.dock.upload}
      </Button>
    </div>
  );
}
