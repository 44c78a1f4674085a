import type { FileBytes } from '../../core/file-bytes.ts';
import { createRedactor } from './redactor.ts';
import { type Region, regionOf } from './region.ts';

export function heldBytes(bytes: Buffer): FileBytes {
  return {
    path: '',
    length: bytes.length,
    at: (position) => bytes[position],
    part: (from, to) => Buffer.from(bytes.subarray(from, to)),
    text: (from, to) => bytes.toString('latin1', from, to),
    indexOf: (byte, from) => bytes.indexOf(byte, from),
    pieces: (from, to) => [bytes.subarray(from, to)],
    close: () => {},
  };
}

/** Redacts bytes that a file contains in encoded form; returns the same buffer if nothing was redacted. */
export function redactedCopy(bytes: Buffer, redactAll: (whole: Region) => void): Buffer {
  const redactor = createRedactor(heldBytes(bytes));
  redactAll(regionOf(redactor, [[0, bytes.length]]));
  return redactor.changes() === 0 ? bytes : redactor.bytes.part(0, bytes.length);
}

/** Replaces encoded digits, which may contain line breaks, with other digits in the same positions. */
export function rewritten(text: string, digits: RegExp, encoded: string): string {
  let at = 0;
  return text.replace(digits, (digit) => encoded[at++] ?? digit);
}
