import { sizeOf } from '../list/file-info.ts';
import type { PendingFile } from '../list/pending.ts';

/** The server's default limit of files per request. */
export const MAX_FILES_A_REQUEST = 100;
/** A request that fails loses all its files, so its size is limited. */
export const MAX_BYTES_A_REQUEST = 500_000_000;

/** Larger files use a resumable upload. */
export const LARGEST_IN_A_FORM = 8_000_000;

export const goesInPieces = ({ file }: PendingFile): boolean => sizeOf(file) > LARGEST_IN_A_FORM;

/** The first files that fit into one request: at least one, whatever its size. */
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

/** The next limit to try after the server refused `sent` files as too many. */
export const halve = (sent: number): number => Math.max(1, Math.floor(sent / 2));
