import { sizeOf } from './known.ts';
import type { PendingFile } from './pending.ts';

/** What the server takes in one request unless it says otherwise. */
export const MAX_FILES_A_REQUEST = 100;
/** A request that breaks off loses all its files, so none grows without bound. */
export const MAX_BYTES_A_REQUEST = 500_000_000;

/** A larger file goes by itself, in pieces, and goes on after an interruption. */
export const LARGEST_IN_A_FORM = 8_000_000;

export const goesInPieces = ({ file }: PendingFile): boolean => sizeOf(file) > LARGEST_IN_A_FORM;

/** The first files that go into one request: at least one, however large it is. */
export function takeBatch(files: readonly PendingFile[], maxFiles: number, maxBytes: number): readonly PendingFile[] {
  let bytes = 0;
  let count = 0;
  for (const item of files) {
    bytes += sizeOf(item.file);
    if (count > 0 && (count >= maxFiles || bytes > maxBytes)) break;
    count += 1;
  }
  return files.slice(0, count);
}

/** The next limit to try after the server found a request of `sent` files too many. */
export const halve = (sent: number): number => Math.max(1, Math.floor(sent / 2));
