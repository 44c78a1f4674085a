import { Pause, Play, RotateCw, Upload } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { afterPaint } from '../lib/after-paint.ts';
import { formatBytes } from '../lib/format-bytes.ts';
import { separator } from '../text/texts.ts';
import { texts } from '../text/upload.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { HeldNote } from './held-note.tsx';
import { coarseSeconds } from './progress.ts';
import { type Run, totalsOf } from './totals.ts';
import styles from './upload-dock.module.css';
import type { UploadState } from './upload-store.ts';
import { uploads } from './uploads.ts';

const QUIET_MS = 2000;
const LINK_MS = 10_000;

function secondsLeft(run: Run, bytesLeft: number, speed: number | null): number | null {
  const last = run.samples.at(-1)?.at ?? run.startedAt;
  if (speed === null || last - run.startedAt < QUIET_MS) return null;
  return coarseSeconds(bytesLeft / speed);
}

function RunProgress({ state, run }: { state: UploadState; run: Run }) {
  const totals = totalsOf(state.files, run);
  const speed = uploads.speed();
  const left = secondsLeft(run, totals.bytes - totals.bytesSent, speed);
  const percent = totals.bytes === 0 ? 0 : Math.floor((totals.bytesSent / totals.bytes) * 100);
  const { dock } = texts;
  const paused = run.paused === true;
  const lost = run.lost === true && !paused;
  const held = run.heldUntil !== undefined || paused || lost;
  return (
    <div className={styles.text}>
      <p className="num">
        <strong>{dock.count(totals.filesSent, totals.files)}</strong>
        <span className={styles.wide}>
          {separator}
          {dock.bytes(formatBytes(totals.bytesSent), formatBytes(totals.bytes))}
        </span>
        {paused ? `${separator}${dock.paused}` : null}
        {lost ? `${separator}${dock.lost}` : null}
        {run.heldUntil === undefined || paused || lost ? null : <HeldNote until={run.heldUntil} />}
        {totals.finishing && !held ? `${separator}${dock.finishing}` : null}
        {!held && !totals.finishing && speed !== null ? `${separator}${dock.speed(formatBytes(speed))}` : null}
        {!held && !totals.finishing && left !== null ? `${separator}${dock.timeLeft(left)}` : null}
      </p>
      <div className={styles.bar}>
        <ProgressBar
          size="large"
          value={percent}
          label={dock.overall}
          valueText={totals.finishing ? dock.finishing : dock.value(percent, held ? null : left)}
        />
      </div>
    </div>
  );
}

function Words({ count, rest }: { count: string; rest: string }) {
  return (
    <p className={`${styles.text} num`}>
      <strong>{count}</strong>
      {rest}
    </p>
  );
}

/** For ten seconds after a run of which every file was stored: what is said of it. */
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

/** What changes thousands of files is done after the button has answered. */
const later = (work: () => void) => (): void => afterPaint(work);

interface UploadDockProps {
  state: UploadState;
  onUpload: () => void;
  /** Takes the focus when a run ends well. */
  zone: RefObject<HTMLElement | null>;
}

/** The bottom of the upload page: where things stand, and the button. */
export function UploadDock({ state, onUpload, zone }: UploadDockProps) {
  const dock = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const retry = useRef<HTMLButtonElement>(null);
  const justStored = useJustStored();
  const running = state.run !== null;
  const refused = state.files.some((item) => item.status === 'refused');
  const wasRunning = useRef(running);
  useEffect(() => {
    if (wasRunning.current === running) return;
    wasRunning.current = running;
    // The pressed button is disabled or gone: whoever was on it must not fall back to the top of the page.
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
