import { sizeOf } from './known.ts';
import type { PendingList } from './pending.ts';
import type { Sample } from './progress.ts';

/** One press of Upload or Retry, until the last answer is in. Times in ms of a monotonic clock. */
export interface Run {
  readonly ids: ReadonlySet<number>;
  readonly startedAt: number;
  readonly samples: readonly Sample[];
  /** set while the server asks to wait: when the upload goes on */
  readonly heldUntil?: number | undefined;
  /** no answer comes, and it is tried again by itself */
  readonly lost?: boolean;
  readonly paused?: boolean;
}

export interface Totals {
  readonly files: number;
  readonly filesSent: number;
  readonly bytes: number;
  readonly bytesSent: number;
  /** every byte is on its way; the server is still at work */
  readonly finishing: boolean;
}

/** The whole of a run in numbers; a refused file counts as done. */
export function totalsOf(files: PendingList, run: Run): Totals {
  // One pass: it is asked for with each step of thousands of files.
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
