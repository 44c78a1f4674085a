import { formatBytes } from '../text/format-bytes.ts';
import { separator, upload as texts } from '../text/words.ts';
import { ProgressBar } from '../ui/progress/progress-bar.tsx';
import { RetryCountdown } from './retry-countdown.tsx';
import { coarseSeconds } from './send/progress.ts';
import { totalsOf } from './send/totals.ts';
import styles from './upload-dock.module.css';
import type { Phase, UploadJob } from './upload-store.ts';
import { uploads, useUpload } from './uploads.ts';

const QUIET_MS = 2000;
function secondsLeft(job: UploadJob, bytesLeft: number, speed: number | null): number | null {
  const last = job.samples.at(-1)?.at ?? job.startedAt;
  if (speed === null || last - job.startedAt < QUIET_MS) return null;
  return coarseSeconds(bytesLeft / speed);
}

/** Why the job is not sending; nothing while it is. */
function PhaseNote({ phase }: { phase: Phase }) {
  switch (phase.kind) {
    case 'paused':
      return <>{separator + texts.dock.paused}</>;
    case 'offline':
      return <>{separator + texts.dock.lost}</>;
    case 'retry-after':
      return <RetryCountdown until={phase.until} />;
    case 'sending':
      return null;
  }
}

/** The progress of a job in files, bytes and time. */
export function UploadProgress({ job }: { job: UploadJob }) {
  const files = useUpload((state) => state.files);
  const progress = useUpload((state) => state.progress);
  const totals = totalsOf(files, job.ids, progress);
  const isSending = job.phase.kind === 'sending';
  const speed = uploads.speed();
  const left = secondsLeft(job, totals.bytes - totals.bytesSent, speed);
  const percent = totals.bytes === 0 ? 0 : Math.floor((totals.bytesSent / totals.bytes) * 100);
  const { dock } = texts;
  return (
    <div className={styles.text}>
      <p className="num">
        <strong>{dock.count(totals.filesDone, totals.files)}</strong>
        <span className={styles.wide}>
          {separator}
          {dock.bytes(formatBytes(totals.bytesSent), formatBytes(totals.bytes))}
        </span>
        <PhaseNote phase={job.phase} />
        {isSending && totals.finishing ? `${separator}${dock.finishing}` : null}
        {isSending && !totals.finishing && speed !== null ? `${separator}${dock.speed(formatBytes(speed))}` : null}
        {isSending && !totals.finishing && left !== null ? `${separator}${dock.timeLeft(left)}` : null}
      </p>
      <div className={styles.bar}>
        <ProgressBar
          size="large"
          value={percent}
          label={dock.overall}
          valueText={totals.finishing ? dock.finishing : dock.value(percent, isSending ? left : null)}
        />
      </div>
    </div>
  );
}
