import type { PendingList } from '../list/pending.ts';
import type { Progress } from './progress.ts';

export interface Totals {
  readonly files: number;
  readonly filesSent: number;
  readonly bytes: number;
  readonly bytesSent: number;
  /** whether every byte is sent and the server is still processing */
  readonly finishing: boolean;
}

/** The totals of the files of an upload job; a refused file counts as done. */
export function totalsOf(files: PendingList, ids: ReadonlySet<number>, progress: Progress): Totals {
  // A single pass: this runs on every progress event, over thousands of files.
  let [count, filesSent, bytes, bytesSent, waiting] = [0, 0, 0, 0, 0];
  for (const { id, size, status } of files) {
    if (!ids.has(id)) continue;
    const sent = status === 'stored' || status === 'refused' ? size : (progress.get(id)?.sent ?? 0);
    count += 1;
    bytes += size;
    bytesSent += sent;
    if (status === 'waiting') waiting += 1;
    else if (sent === size) filesSent += 1;
  }
  return { files: count, filesSent, bytes, bytesSent, finishing: count > 0 && bytesSent >= bytes && waiting === 0 };
}
