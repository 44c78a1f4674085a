/** Which files go into one request. */
import type { PendingFile } from '../list/pending.ts';

/** Larger files use a resumable upload. */
export const LARGEST_IN_A_FORM = 8_000_000;

export const isResumable = ({ size }: PendingFile): boolean => size > LARGEST_IN_A_FORM;

/** A request that fails sends all its files again, so its size is limited. */
export interface GroupLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** The server's default limit of files per request. */
const MAX_FILES = 100;

const FIRST_BYTES = 8_000_000;
const LEAST_BYTES = 1_000_000;
/** What a cut may send twice, also on a fast line. */
const MOST_BYTES = 16_000_000;

export const FIRST_LIMITS: GroupLimits = { maxFiles: MAX_FILES, maxBytes: FIRST_BYTES };
export const ONE_FILE: GroupLimits = { maxFiles: 1, maxBytes: FIRST_BYTES };

/** The first files that fit into one request: at least one, whatever its size. */
export function takeGroup(files: readonly PendingFile[], { maxFiles, maxBytes }: GroupLimits): readonly PendingFile[] {
  let bytes = 0;
  let count = 0;
  for (const item of files) {
    bytes += item.size;
    if (count > 0 && (count >= maxFiles || bytes > maxBytes)) break;
    count += 1;
  }
  return files.slice(0, count);
}

const QUICK_MS = 3000;
const SLOW_MS = 10_000;

/**
 * The limits after a group was sent in `ms`: larger groups on a fast line, where the pauses between requests count, and smaller
 * ones on a slow line, where sending a group again takes long.
 */
export function limitsAfter(limits: GroupLimits, ms: number): GroupLimits {
  if (ms < QUICK_MS) return { ...limits, maxBytes: Math.min(MOST_BYTES, limits.maxBytes * 2) };
  if (ms > SLOW_MS) return { ...limits, maxBytes: Math.max(LEAST_BYTES, limits.maxBytes / 2) };
  return limits;
}

/** The limits after a request of `sent` files was cut off or held too many. */
export const smallerThan = (sent: number, { maxBytes }: GroupLimits): GroupLimits => ({
  maxFiles: Math.max(1, Math.floor(sent / 2)),
  maxBytes: Math.max(LEAST_BYTES, maxBytes / 2),
});
