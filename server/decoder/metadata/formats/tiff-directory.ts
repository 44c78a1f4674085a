import type { Region } from '../bytes/region.ts';
import { TYPE_SIZES } from './tiff-tags.ts';

/** How numbers and directories are stored: classic TIFF (TIFF 6.0, section 2) or BigTIFF. */
export type Layout = {
  little: boolean;
  /** Bytes of an offset: 4, or 8 in BigTIFF. */
  word: 4 | 8;
  first: number;
};

export type Entry = {
  raw: Buffer;
  tag: number;
  type: number;
  count: number;
  /** Position of the value, in the directory or elsewhere; it may exceed the file. */
  at: number;
  /** Bytes of the value; NaN for an unknown type. */
  size: number;
  inline: boolean;
};

export type Directory = { at: number; end: number; entries: Entry[]; next: number };

const MAX_ENTRIES = 4096;

export const number = (bytes: Buffer, at: number, size: number, little: boolean): number => {
  if (size === 8) return Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
};

/** Undefined without a byte order mark. Ignores the magic number, as EXIF readers do. */
export function readLayout(tiff: Region, mayBeBig: boolean): Layout | undefined {
  const header = tiff.part(0, 16);
  const order = header.toString('latin1', 0, 2);
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const little = order === 'II';
  const big = mayBeBig && header.length === 16 && number(header, 2, 2, little) === 43;
  return { little, word: big ? 8 : 4, first: number(header, big ? 8 : 4, big ? 8 : 4, little) };
}

/** Undefined if the directory is incomplete. */
export function readDirectory(tiff: Region, at: number, { little, word }: Layout): Directory | undefined {
  const countSize = word === 8 ? 8 : 2;
  const entrySize = 4 + 2 * word;
  const head = tiff.part(at, at + countSize);
  if (at < 8 || head.length < countSize) return undefined;
  const count = number(head, 0, countSize, little);
  const tableEnd = at + countSize + count * entrySize;
  if (count > MAX_ENTRIES || tableEnd > tiff.length) return undefined;
  const table = tiff.part(at + countSize, tableEnd + word);
  const entries = Array.from({ length: count }, (_, index) => {
    const raw = table.subarray(index * entrySize, (index + 1) * entrySize);
    return readEntry(raw, at + countSize + index * entrySize, { little, word });
  });
  // Some writers omit the last pointer.
  const next = table.length === count * entrySize + word ? number(table, count * entrySize, word, little) : 0;
  return { at, end: Math.min(tableEnd + word, tiff.length), entries, next };
}

function readEntry(raw: Buffer, at: number, { little, word }: Omit<Layout, 'first'>): Entry {
  const type = number(raw, 2, 2, little);
  const count = number(raw, 4, word, little);
  const size = count * ((type === 0 ? undefined : TYPE_SIZES[type]) ?? Number.NaN);
  const inline = !(size > word);
  const field = 4 + word;
  return {
    raw,
    tag: number(raw, 0, 2, little),
    type,
    count,
    size,
    inline,
    at: inline ? at + field : number(raw, field, word, little),
  };
}

/** The directory without the removed entries, zero-padded at the end. */
export function tableOf(directory: Directory, kept: readonly Entry[], next: number, { little, word }: Layout): Buffer {
  const table = Buffer.alloc(directory.end - directory.at);
  const countSize = word === 8 ? 8 : 2;
  write(table, kept.length, 0, countSize, little);
  let at = countSize;
  for (const { raw } of kept) at += raw.copy(table, at);
  if (at + word <= table.length) write(table, next, at, word, little);
  return table;
}

function write(table: Buffer, value: number, at: number, size: number, little: boolean): void {
  if (size === 8) little ? table.writeBigUInt64LE(BigInt(value), at) : table.writeBigUInt64BE(BigInt(value), at);
  else little ? table.writeUIntLE(value, at, size) : table.writeUIntBE(value, at, size);
}
