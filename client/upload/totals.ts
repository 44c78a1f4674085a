import { sizeOf } from './known.ts';
import { bytesOf, type PendingList } from './pending.ts';
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
  const mine = files.filter((item) => run.ids.has(item.id));
  const over = (status: string): boolean => status === 'stored' || status === 'refused';
  const sentOf = mine.map((item) => (over(item.status) ? sizeOf(item.file) : item.sent));
  const bytes = bytesOf(mine);
  const bytesSent = sentOf.reduce((sum, sent) => sum + sent, 0);
  const complete = mine.filter((item, index) => over(item.status) || sentOf[index] === sizeOf(item.file));
  return {
    files: mine.length,
    filesSent: complete.filter((item) => item.status !== 'waiting').length,
    bytes,
    bytesSent,
    finishing: mine.length > 0 && bytesSent >= bytes && mine.every((item) => item.status !== 'waiting'),
  };
}
