import { sizeOf } from '../list/file-info.ts';
import type { PendingList } from '../list/pending.ts';
import type { Sample } from './progress.ts';

/** One run, from Upload or Retry until the last answer. Times in ms of a monotonic clock. */
export interface Run {
  readonly ids: ReadonlySet<number>;
  readonly startedAt: number;
  readonly samples: readonly Sample[];
  /** set while the server requested a wait: when the upload continues */
  readonly heldUntil?: number | undefined;
  /** whether the connection is lost; the upload retries meanwhile */
  readonly lost?: boolean;
  readonly paused?: boolean;
}

export interface Totals {
  readonly files: number;
  readonly filesSent: number;
  readonly bytes: number;
  readonly bytesSent: number;
  /** whether every byte is sent and the server is still processing */
  readonly finishing: boolean;
}

/** The totals of a run; a refused file counts as done. */
export function totalsOf(files: PendingList, run: Run): Totals {
  // A single pass: this runs on every progress event, over thousands of files.
  let [count, filesSent, bytes, bytesSent, waiting] = [0, 0, 0, 0, 0];
  for (const { id, file, status, sent } of files) {
    if (!run.ids.has(id)) continue;
    const size = sizeOf(file);
    const gone = status === 'stored' || status === 'refused' ? size : sent;
    count += 1;
    bytes += size;
    bytesSent += gone;
    if (status === 'waiting') waiting += 1;
    else if (gone === size) filesSent += 1;
  }
  return { files: count, filesSent, bytes, bytesSent, finishing: count > 0 && bytesSent >= bytes && waiting === 0 };
}
