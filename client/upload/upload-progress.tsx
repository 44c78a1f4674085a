import { formatBytes } from '../lib/format-bytes.ts';
import { separator } from '../text/texts.ts';
import { texts } from '../text/upload.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { HeldNote } from './retry-countdown.tsx';
import { coarseSeconds } from './send/progress.ts';
import { type Run, totalsOf } from './send/totals.ts';
import styles from './upload-dock.module.css';
import type { UploadState } from './upload-store.ts';
import { uploads } from './uploads.ts';

const QUIET_MS = 2000;
function secondsLeft(run: Run, bytesLeft: number, speed: number | null): number | null {
  const last = run.samples.at(-1)?.at ?? run.startedAt;
  if (speed === null || last - run.startedAt < QUIET_MS) return null;
  return coarseSeconds(bytesLeft / speed);
}

/** The progress of a run in files, bytes and time. */
export function RunProgress({ state, run }: { state: UploadState; run: Run }) {
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
