import type { PendingList } from '../list/pending.ts';
import type { Progress } from './progress.ts';

export interface Totals {
  readonly files: number;
  /** Those that the server has answered for. Sent bytes may have to be sent again. */
  readonly filesDone: number;
  readonly filesSent: number;
  readonly bytes: number;
  readonly bytesSent: number;
  /** whether every byte is sent and the server is still processing */
  readonly finishing: boolean;
}

/** The totals of the files of an upload job; a refused file counts as done. */
export function totalsOf(files: PendingList, ids: ReadonlySet<number>, progress: Progress): Totals {
  // A single pass: this runs on every progress event, over thousands of files.
  let [count, filesDone, filesSent, bytes, bytesSent, waiting] = [0, 0, 0, 0, 0, 0];
  for (const { id, size, status } of files) {
    if (!ids.has(id)) continue;
    const isDone = status === 'stored' || status === 'refused';
    const sent = isDone ? size : (progress.get(id)?.sent ?? 0);
    if (isDone) filesDone += 1;
    count += 1;
    bytes += size;
    bytesSent += sent;
    if (status === 'waiting') waiting += 1;
    else if (sent === size) filesSent += 1;
  }
  const finishing = count > 0 && bytesSent >= bytes && waiting === 0;
  return { files: count, filesDone, filesSent, bytes, bytesSent, finishing };
}
