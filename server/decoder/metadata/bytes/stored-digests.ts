/**
 * Digests that programs write into a file's own metadata: of its EXIF, its IPTC, its long XMP packet, or the whole file.
 * Where bytes are covered, a digest of them would confirm a guess of what they were, so it goes too. It is wrong by then anyway.
 */
import type { Region } from './region.ts';

/** MD5, SHA-1 and SHA-256 as hex digits (exif:NativeDigest, xmpNote:HasExtendedXMP, photoshop:LegacyIPTCDigest). */
const HEX = /(?<![\da-f])(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32})(?![\da-f])/gi;

/** Whether anything of the file is covered by now. Files are looked at again until nothing changes, so order is no matter. */
export const isCovered = ({ redactor }: Region): boolean => redactor.changes() > 0;

/** Puts zeros in the place of digests in a text, where anything of the file is covered. */
export function redactDigests(text: Region): void {
  if (!isCovered(text)) return;
  for (const { 0: digits, index } of text.text(0, text.length).matchAll(HEX)) {
    text.put(index, Buffer.alloc(digits.length, '0'));
  }
}

/** The same for a part that is nothing but a digest, or holds one that cannot be told from the rest. */
export function redactAsDigest(part: Region): void {
  if (isCovered(part)) part.blank();
}
