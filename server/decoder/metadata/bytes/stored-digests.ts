/** Redacts digests stored in metadata: the digest of redacted bytes would confirm a guess of them, and is wrong by then. */
import type { Region } from './region.ts';

/** MD5, SHA-1 and SHA-256 as hex digits (exif:NativeDigest, xmpNote:HasExtendedXMP, photoshop:LegacyIPTCDigest). */
const HEX = /(?<![\da-f])(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32})(?![\da-f])/gi;

/** Whether anything in the file is redacted yet. The order is irrelevant: searches repeat until nothing changes. */
export const isCovered = ({ redactor }: Region): boolean => redactor.changes() > 0;

export function redactDigests(text: Region): void {
  if (!isCovered(text)) return;
  for (const { 0: digits, index } of text.text(0, text.length).matchAll(HEX)) {
    text.put(index, Buffer.alloc(digits.length, '0'));
  }
}

/** Blanks a part that is a digest or contains one, if anything in the file is redacted. */
export function redactAsDigest(part: Region): void {
  if (isCovered(part)) part.blank();
}
