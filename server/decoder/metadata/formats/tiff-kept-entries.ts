import { holdsMetadata, holdsSensitive, isTellingComment } from '../bytes/patterns.ts';
import type { Range } from '../bytes/ranges.ts';
import { redactIptc } from './iptc.ts';
import { redactPhotoshop } from './photoshop.ts';
import { type Directory, type Entry, readDirectory } from './tiff-directory.ts';
import * as tags from './tiff-tags.ts';
import { farValue, isShort, pointersOf, type Tiff, wordsOf } from './tiff-values.ts';
import { isHarmlessXmp } from './xmp.ts';

const BYTES = new Set([1, 2, 6, 7]);

export type Found = Tiff & {
  waiting: number[];
  freed: Range[];
};

/** Whether an entry stays. Records what it refers to, and redacts metadata inside a value that stays. */
export function isKept(found: Found, entry: Entry): boolean {
  if (tags.REMOVED.has(entry.tag)) return free(found, entry);
  if (entry.tag === tags.GPS) return isEmptyGps(found, entry) || free(found, entry);
  if (tags.DIRECTORIES.has(entry.tag)) return follow(found, entry) || free(found, entry);
  const value = farValue(found, entry);
  if (value === undefined) return isShort(entry) || !tags.LOOKED_INTO.has(entry.tag) || drop(found, entry);
  if (entry.tag === tags.XMP) return isHarmlessXmp(value) || free(found, entry);
  if (entry.tag === tags.IPTC || entry.tag === tags.PHOTOSHOP) {
    (entry.tag === tags.IPTC ? redactIptc : redactPhotoshop)(value);
    return true;
  }
  if (tags.COMMENTS.has(entry.tag)) return !isTellingComment(wordsOf(value)) || free(found, entry);
  if (BYTES.has(entry.type) && !tags.BINARY.has(entry.tag) && holdsMetadata(wordsOf(value))) {
    return free(found, entry);
  }
  if (entry.tag > tags.FREE_TEXT) return !holdsSensitive(value.text(0, 1000)) || free(found, entry);
  return true;
}

/** Removes an entry with an unreadable value; an incomplete value stays, since its bytes may belong elsewhere. */
function drop(found: Found, entry: Entry): false {
  return entry.at + entry.size <= found.tiff.length && free(found, entry);
}

/** Removes an entry and its value. Always returns false. */
function free(found: Found, entry: Entry): false {
  if (entry.tag === tags.GPS) {
    for (const at of pointersOf(found, entry)) {
      const directory = readDirectory(found.tiff, at, found.layout);
      if (directory !== undefined && looksLikeGps(directory)) freeDirectory(found, directory);
    }
  }
  if (!entry.inline && entry.size > 0) found.freed.push([entry.at, entry.at + entry.size]);
  return false;
}

function freeDirectory(found: Found, directory: Directory): void {
  found.freed.push([directory.at, directory.end]);
  for (const { inline, at, size } of directory.entries) {
    if (!inline && size > 0) found.freed.push([at, at + size]);
  }
}

/** Guards against wrong pointers: only something that looks like a GPS directory is blanked. */
const looksLikeGps = ({ entries }: Directory) =>
  entries.length <= 64 && entries.every(({ tag, size }) => tag < 0x100 && size < 65536);

function isEmptyGps(found: Found, entry: Entry): boolean {
  const pointers = pointersOf(found, entry);
  return pointers.every((at) => readDirectory(found.tiff, at, found.layout)?.entries.length === 0);
}

/** Whether all directories that an entry points to are readable; queues them. */
function follow(found: Found, entry: Entry): boolean {
  const pointers = pointersOf(found, entry);
  if (pointers.some((at) => readDirectory(found.tiff, at, found.layout) === undefined)) return false;
  found.waiting.push(...pointers);
  return true;
}
