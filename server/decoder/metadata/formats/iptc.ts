import type { Region } from '../bytes/region.ts';

/** Datasets of record 2 (IPTC IIM 4.2) with codes and names of locations. */
const PLACES = new Set([26, 27, 90, 92, 95, 100, 101]);
const MARK = 0x1c;
const MAX_READ = 16 * 1024 * 1024;

/** Removes locations; later datasets move up. Blanks bytes after a break in the chain, or everything without a chain. */
export function redactIptc(record: Region): void {
  const bytes = record.part(0, Math.min(record.length, MAX_READ));
  const kept: Buffer[] = [];
  let found = false;
  let at = 0;
  while (bytes[at] === MARK) {
    const end = datasetEnd(bytes, at);
    if (end === undefined) break;
    const isPlace = bytes[at + 1] === 2 && PLACES.has(bytes[at + 2] ?? 0);
    if (isPlace) found = true;
    else kept.push(bytes.subarray(at, end));
    at = end;
  }
  if (found) {
    const moved = Buffer.concat(kept);
    record.put(0, moved);
    record.blank(moved.length);
  } else {
    record.blank(at);
  }
}

function datasetEnd(bytes: Buffer, at: number): number | undefined {
  if (at + 5 > bytes.length) return undefined;
  const short = bytes.readUInt16BE(at + 3);
  let end = at + 5 + short;
  if (short & 0x8000) {
    const digits = short & 0x7fff; // extended length
    if (digits < 1 || digits > 6 || at + 5 + digits > bytes.length) return undefined;
    end = at + 5 + digits + bytes.readUIntBE(at + 5, digits);
  }
  return end <= bytes.length ? end : undefined;
}
