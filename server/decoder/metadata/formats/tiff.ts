import { type Range, without } from '../bytes/ranges.ts';
import type { Region } from '../bytes/region.ts';
import { redactThumbnail } from './jpeg.ts';
import { type Directory, type Layout, number, readDirectory, readLayout, tableOf } from './tiff-directory.ts';
import { type Found, isKept } from './tiff-kept-entries.ts';
import { keepOrientationOnly } from './tiff-orientation.ts';
import * as tags from './tiff-tags.ts';
import { numbersOf } from './tiff-values.ts';

const MAX_DIRECTORIES = 1000;

/** File ends with data that programs append, including metadata. */
const TRAILER =
  /AXS[!*][\s\S]{8}$|\xa1\xb2\xc3\xd4$|cbipcbbl$|CANON OPTIONAL DATA|zmie~[\s\S]{0,16}$|QDIOBS$|SEFT$|8db42d694ccc41|NIKON APP$/;

type Walk = Found & {
  seen: Set<number>;
  kept: Directory[];
  /** Ranges that must not change, whatever points to them. */
  needed: Range[];
  tables: { at: number; bytes: Buffer }[];
};

export function redactTiffFile(tiff: Region): void {
  if (TRAILER.test(tiff.text(tiff.length - 64, tiff.length))) throw new RangeError('a vendor trailer');
  const layout = readLayout(tiff, true);
  // The decoder found a picture, but by other rules.
  if (layout === undefined || readDirectory(tiff, layout.first, layout) === undefined) throw new RangeError('no table');
  redactDirectories(tiff, layout);
}

/** Redacts EXIF inside another file. If it cannot be parsed, only the orientation stays. */
export function redactExif(tiff: Region): void {
  const layout = readLayout(tiff, false);
  if (layout === undefined || readDirectory(tiff, layout.first, layout) === undefined) keepOrientationOnly(tiff);
  else redactDirectories(tiff, layout);
}

function redactDirectories(tiff: Region, layout: Layout): void {
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
    if (walk.seen.size > MAX_DIRECTORIES) throw new RangeError('too many directories');
    const directory = readDirectory(tiff, at, layout);
    if (directory !== undefined) redactDirectory(walk, directory);
  }
  // The needed ranges are complete only now.
  if (walk.freed.length > 0) for (const directory of walk.kept) addPixels(walk, directory);
  const needed = walk.needed.sort(([one], [other]) => one - other);
  for (const range of walk.freed) {
    for (const [from, to] of without(range, needed)) tiff.blank(from, to);
  }
  for (const { at, bytes } of walk.tables) tiff.put(at, bytes);
}

function redactDirectory(walk: Walk, directory: Directory): void {
  walk.kept.push(directory);
  walk.needed.push([directory.at, directory.end]);
  const kept = directory.entries.filter((entry) => isKept(walk, entry));
  const { next } = directory;
  const follows = next !== 0 && readDirectory(walk.tiff, next, walk.layout) !== undefined;
  if (follows) walk.waiting.push(next);
  redactPreview(walk, directory);
  if (kept.length === directory.entries.length && (follows || next === 0)) return;
  const bytes = tableOf(directory, kept, follows ? next : 0, walk.layout);
  walk.tables.push({ at: directory.at, bytes });
}

function redactPreview({ tiff, layout }: Walk, { entries }: Directory): void {
  const long = (wanted: number) => {
    const entry = entries.find(({ tag, type }) => tag === wanted && type === 4);
    return entry === undefined ? 0 : number(entry.raw, 4 + layout.word, 4, layout.little);
  };
  const at = long(tags.THUMBNAIL_AT);
  const length = long(tags.THUMBNAIL_LENGTH);
  if (at > 0 && length > 4 && at + length <= tiff.length) redactThumbnail(tiff.inner(at, at + length));
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
