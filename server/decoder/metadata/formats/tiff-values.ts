import type { Region } from '../bytes/region.ts';
import { type Entry, type Layout, number } from './tiff-directory.ts';

const MAX_VALUE = 16 * 1024 * 1024;
const MAX_POINTERS = 100;
const MAX_WORDS = 64 * 1024;
const INTEGERS = new Set([1, 3, 4, 6, 8, 9, 13, 16, 17, 18]);

export type Tiff = { tiff: Region; layout: Layout };

/** The region of a complete value outside the directory that is short enough to search. */
export function farValue({ tiff }: Tiff, entry: Entry): Region | undefined {
  if (isShort(entry) || !(entry.size <= MAX_VALUE) || entry.at + entry.size > tiff.length) return undefined;
  return tiff.inner(entry.at, entry.at + entry.size);
}

export const isShort = ({ inline, size }: Entry) => size === 0 || (inline && size > 0);

/** Text in one-byte or two-byte characters. */
export const wordsOf = (value: Region) => value.text(0, MAX_WORDS);

export function pointersOf({ tiff, layout }: Tiff, { type, count, size, at }: Entry): number[] {
  if (!INTEGERS.has(type) || !(size > 0) || count > MAX_POINTERS) return [0]; // where nothing can be read
  const bytes = tiff.part(at, at + size);
  if (bytes.length < size) return [0];
  const width = size / count;
  return Array.from({ length: count }, (_, index) => number(bytes, index * width, width, layout.little));
}

export function numbersOf({ tiff, layout }: Tiff, { type, count, size, at }: Entry): number[] {
  if (!INTEGERS.has(type) || !(size > 0)) return [];
  if (size > MAX_VALUE) throw new RangeError('too many pieces');
  const bytes = tiff.part(at, at + size);
  const width = size / count;
  return Array.from({ length: Math.floor(bytes.length / width) }, (_, index) =>
    number(bytes, index * width, width, layout.little),
  );
}
