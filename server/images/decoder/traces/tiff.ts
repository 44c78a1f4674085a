import { coverIptc } from './iptc.ts';
import { coverThumbnail } from './jpeg.ts';
import { coverPhotoshop } from './photoshop.ts';
import type { Region } from './region.ts';
import {
  type Directory,
  type Entry,
  type Layout,
  number,
  readDirectory,
  readLayout,
  tableOf,
} from './tiff-directory.ts';
import * as tags from './tiff-tags.ts';
import { holdsMetadata, isTellingComment, tellsOfTraces } from './words.ts';
import { isHarmlessXmp } from './xmp.ts';

const MOST_DIRECTORIES = 1000;
const MOST_POINTERS = 100;
const MOST_VALUE = 16 * 1024 * 1024;
const MOST_WORDS = 64 * 1024;
/** Types of values that may hold anything. */
const BYTES = new Set([1, 2, 6, 7]);
const INTEGERS = new Set([1, 3, 4, 6, 8, 9, 13, 16, 17, 18]);

/** Ends of what programs append to a file with notes of their own. */
const TRAILER =
  /AXS[!*][\s\S]{8}$|\xa1\xb2\xc3\xd4$|cbipcbbl$|CANON OPTIONAL DATA|zmie~[\s\S]{0,16}$|QDIOBS$|SEFT$|8db42d694ccc41|NIKON APP$/;

type Range = [from: number, to: number];

type Walk = {
  tiff: Region;
  layout: Layout;
  /** Directories to be looked at, and those that were. */
  waiting: number[];
  seen: Set<number>;
  kept: Directory[];
  /** What stands no longer for anything. */
  freed: Range[];
  /** What must not be touched, whatever points at it. */
  needed: Range[];
  tables: { at: number; bytes: Buffer }[];
};

/** Covers a TIFF file: all its pages and what stands below them. */
export function coverTiffFile(tiff: Region): void {
  if (TRAILER.test(tiff.text(tiff.length - 64, tiff.length))) throw new RangeError('a trailer in a format of its own');
  const layout = readLayout(tiff, true);
  // A decoder read some picture out of it: by other rules than these.
  if (layout === undefined || readDirectory(tiff, layout.first, layout) === undefined) throw new RangeError('no table');
  coverDirectories(tiff, layout);
}

/** Covers EXIF that stands inside another file. What cannot be followed goes, save the orientation. */
export function coverExif(tiff: Region): void {
  const layout = readLayout(tiff, false);
  if (layout === undefined || readDirectory(tiff, layout.first, layout) === undefined) keepOrientationOnly(tiff);
  else coverDirectories(tiff, layout);
}

/** Leaves of EXIF the orientation alone. */
export function keepOrientationOnly(tiff: Region): void {
  const orientation = readOrientation(tiff);
  tiff.blank();
  if (orientation === undefined || tiff.length < 26) return;
  tiff.put(0, Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation]));
}

function readOrientation(tiff: Region): number | undefined {
  const layout = readLayout(tiff, false);
  if (layout === undefined) return undefined;
  const { little, first } = layout;
  // The table may be cut: what there is of it.
  const table = tiff.part(first + 2, first + 2 + 12 * 256);
  for (let at = 0; at + 12 <= table.length; at += 12) {
    const value = number(table, at + 8, 2, little);
    const found = number(table, at, 2, little) === tags.ORIENTATION && number(table, at + 2, 2, little) === 3;
    if (found && value >= 1 && value <= 8) return value;
  }
  return undefined;
}

function coverDirectories(tiff: Region, layout: Layout): void {
  const walk: Walk = {
    tiff,
    layout,
    waiting: [layout.first],
    seen: new Set(),
    kept: [],
    freed: [],
    needed: [[0, 8]],
    tables: [],
  };
  for (let at = walk.waiting.pop(); at !== undefined; at = walk.waiting.pop()) {
    if (walk.seen.has(at)) continue;
    walk.seen.add(at);
    if (walk.seen.size > MOST_DIRECTORIES) throw new RangeError('too many directories');
    const directory = readDirectory(tiff, at, layout);
    if (directory !== undefined) coverDirectory(walk, directory);
  }
  // Only now is known what is needed.
  if (walk.freed.length > 0) for (const directory of walk.kept) addPixels(walk, directory);
  const needed = walk.needed.sort(([one], [other]) => one - other);
  for (const range of walk.freed) {
    for (const [from, to] of without(range, needed)) tiff.blank(from, to);
  }
  for (const { at, bytes } of walk.tables) tiff.put(at, bytes);
}

function coverDirectory(walk: Walk, directory: Directory): void {
  walk.kept.push(directory);
  walk.needed.push([directory.at, directory.end]);
  const kept = directory.entries.filter((entry) => isKept(walk, entry));
  const { next } = directory;
  const follows = next !== 0 && readDirectory(walk.tiff, next, walk.layout) !== undefined;
  if (follows) walk.waiting.push(next);
  coverPreview(walk, directory);
  if (kept.length === directory.entries.length && (follows || next === 0)) return;
  const bytes = tableOf(directory, kept, follows ? next : 0, walk.layout);
  walk.tables.push({ at: directory.at, bytes });
}

function isKept(walk: Walk, entry: Entry): boolean {
  if (tags.REMOVED.has(entry.tag)) return free(walk, entry);
  if (entry.tag === tags.GPS) return isEmptyGps(walk, entry) || free(walk, entry);
  if (tags.DIRECTORIES.has(entry.tag)) return follow(walk, entry) || free(walk, entry);
  const value = farValue(walk, entry);
  if (value === undefined) return isShort(entry) || !tags.LOOKED_INTO.has(entry.tag) || drop(walk, entry);
  if (entry.tag === tags.XMP) return isHarmlessXmp(value) || free(walk, entry);
  if (entry.tag === tags.IPTC || entry.tag === tags.PHOTOSHOP) {
    (entry.tag === tags.IPTC ? coverIptc : coverPhotoshop)(value);
    return true;
  }
  if (tags.COMMENTS.has(entry.tag)) return !isTellingComment(wordsOf(value)) || free(walk, entry);
  if (BYTES.has(entry.type) && !tags.BINARY.has(entry.tag) && holdsMetadata(value.text(0, MOST_WORDS))) {
    return free(walk, entry);
  }
  if (entry.tag > tags.FREE_TEXT) return !tellsOfTraces(value.text(0, 1000)) || free(walk, entry);
  return true;
}

/** The region of a value that stands whole, and outside the table, and is not too long to be looked into. */
function farValue({ tiff }: Walk, entry: Entry): Region | undefined {
  if (isShort(entry) || !(entry.size <= MOST_VALUE) || entry.at + entry.size > tiff.length) return undefined;
  return tiff.inner(entry.at, entry.at + entry.size);
}

const isShort = ({ inline, size }: Entry) => size === 0 || (inline && size > 0);

/** Text of one byte a character or of two. */
const wordsOf = (value: Region) => value.text(0, MOST_WORDS);

/** Gives up an entry whose value cannot be looked into; where it does not stand whole, nobody knows whose bytes those are. */
function drop(walk: Walk, entry: Entry): false {
  return entry.at + entry.size <= walk.tiff.length && free(walk, entry);
}

/** Gives an entry up, with its value. Always false: it is not kept. */
function free(walk: Walk, entry: Entry): false {
  if (entry.tag === tags.GPS) {
    for (const at of pointersOf(walk, entry)) {
      const directory = readDirectory(walk.tiff, at, walk.layout);
      if (directory !== undefined && looksLikeGps(directory)) freeDirectory(walk, directory);
    }
  }
  if (!entry.inline && entry.size > 0) walk.freed.push([entry.at, entry.at + entry.size]);
  return false;
}

function freeDirectory(walk: Walk, directory: Directory): void {
  walk.freed.push([directory.at, directory.end]);
  for (const { inline, at, size } of directory.entries) {
    if (!inline && size > 0) walk.freed.push([at, at + size]);
  }
}

/** A pointer may be wrong; what it leads to is blanked only where it can be such a directory. */
const looksLikeGps = ({ entries }: Directory) =>
  entries.length <= 64 && entries.every(({ tag, size }) => tag < 0x100 && size < 65536);

function isEmptyGps(walk: Walk, entry: Entry): boolean {
  const pointers = pointersOf(walk, entry);
  return pointers.every((at) => readDirectory(walk.tiff, at, walk.layout)?.entries.length === 0);
}

/** Whether all directories that an entry points to can be read; they are then looked at. */
function follow(walk: Walk, entry: Entry): boolean {
  const pointers = pointersOf(walk, entry);
  if (pointers.some((at) => readDirectory(walk.tiff, at, walk.layout) === undefined)) return false;
  walk.waiting.push(...pointers);
  return true;
}

function pointersOf({ tiff, layout }: Walk, { type, count, size, at }: Entry): number[] {
  if (!INTEGERS.has(type) || !(size > 0) || count > MOST_POINTERS) return [0]; // which nothing can be read from
  const bytes = tiff.part(at, at + size);
  if (bytes.length < size) return [0];
  const width = size / count;
  return Array.from({ length: count }, (_, index) => number(bytes, index * width, width, layout.little));
}

/** A thumbnail is a JPEG of its own and may hold notes of its own. */
function coverPreview({ tiff, layout }: Walk, { entries }: Directory): void {
  const long = (wanted: number) => {
    const entry = entries.find(({ tag, type }) => tag === wanted && type === 4);
    return entry === undefined ? 0 : number(entry.raw, 4 + layout.word, 4, layout.little);
  };
  const at = long(tags.THUMBNAIL_AT);
  const length = long(tags.THUMBNAIL_LENGTH);
  if (at > 0 && length > 4 && at + length <= tiff.length) coverThumbnail(tiff.inner(at, at + length));
}

function addPixels(walk: Walk, { entries }: Directory): void {
  for (const [offsetsTag, lengthsTag] of tags.PIXELS) {
    const [offsets = [], lengths = []] = [offsetsTag, lengthsTag].map((wanted) => {
      const entry = entries.find(({ tag }) => tag === wanted);
      return entry === undefined ? [] : numbersOf(walk, entry);
    });
    offsets.forEach((at, index) => {
      walk.needed.push([at, at + (lengths[index] ?? 0)]);
    });
  }
}

function numbersOf({ tiff, layout }: Walk, { type, count, size, at }: Entry): number[] {
  if (!INTEGERS.has(type) || !(size > 0)) return [];
  if (size > MOST_VALUE) throw new RangeError('too many pieces');
  const bytes = tiff.part(at, at + size);
  const width = size / count;
  return Array.from({ length: Math.floor(bytes.length / width) }, (_, index) =>
    number(bytes, index * width, width, layout.little),
  );
}

/** What is left of a range without others, which are sorted by their beginnings. */
function without([from, to]: Range, others: readonly Range[]): Range[] {
  const left: Range[] = [];
  let at = from;
  for (const [start, end] of others) {
    if (start >= to) break;
    if (start > at) left.push([at, start]);
    at = Math.max(at, end);
  }
  if (at < to) left.push([at, to]);
  return left;
}
