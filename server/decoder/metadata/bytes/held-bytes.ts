import type { FileBytes } from '../../core/file-bytes.ts';
import { createRedactor } from './redactor.ts';
import { type Region, regionOf } from './region.ts';

/** Bytes in memory, looked at as a file is. */
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

/** What bytes become that stand in a file in another form, compressed or as text; the same where nothing is covered. */
export function redactedCopy(bytes: Buffer, redactAll: (whole: Region) => void): Buffer {
  const redactor = createRedactor(heldBytes(bytes));
  redactAll(regionOf(redactor, [[0, bytes.length]]));
  return redactor.changes() === 0 ? bytes : redactor.bytes.part(0, bytes.length);
}

/** Runs of digits that stand for bytes, line breaks among them: written again with other bytes, in the same places. */
export function rewritten(text: string, digits: RegExp, encoded: string): string {
  let at = 0;
  return text.replace(digits, (digit) => encoded[at++] ?? digit);
}
