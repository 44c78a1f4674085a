/**
 * Places and serial numbers in a picture's metadata: whether there are any, and which bytes the public link replaces so
 * that it has none. Nothing moves: the file keeps its length, its pixels, colours and orientation.
 */
import type { Redaction } from '../../../drizzle/schema.ts';
import type { FileBytes } from '../core/file-bytes.ts';
import type { Format } from '../formats/content-types.ts';
import { sniff } from '../formats/sniff.ts';
import { type Cover, createCover } from './bytes/redactor.ts';
import { type Region, regionOf } from './bytes/region.ts';
import { coverGif } from './formats/gif.ts';
import { coverHeif } from './formats/heif.ts';
import { coverJpegFile } from './formats/jpeg.ts';
import { coverPng } from './formats/png.ts';
import { coverSvg } from './formats/svg.ts';
import { coverTiffFile } from './formats/tiff.ts';
import { coverWebp } from './formats/webp.ts';

/** `unreadable` where some may stand that cannot be taken out; `redaction` tells what replaces those that can. */
export type Traces =
  | { traces: 'none' | 'unreadable'; redaction?: undefined }
  | { traces: 'removable'; redaction: Redaction };

/** What is covered may uncover something else in hostile files; honest ones need two rounds, the second a check. */
const MAX_ROUNDS = 5;

const COVERS: Record<Format, (file: Region) => void> = {
  jpeg: coverJpegFile,
  png: coverPng,
  webp: coverWebp,
  gif: coverGif,
  avif: coverHeif,
  heic: coverHeif,
  tiff: coverTiffFile,
  svg: (file) => coverSvg(file, coverEmbedded),
};

/** A picture inside a drawing, by its first bytes. */
function coverEmbedded(picture: Region): void {
  const kind = sniff(picture.cover.bytes);
  if (kind !== undefined) COVERS[kind === 'heif' ? 'heic' : kind](picture);
}

/**
 * Never throws for what stands in the file; what it cannot follow is `unreadable`.
 * @throws Error where the file cannot be read
 */
export function findTraces(bytes: FileBytes, format: Format): Traces {
  try {
    const cover = createCover(bytes);
    if (!coverAll(cover, format)) return { traces: 'unreadable' };
    const redaction = cover.finish();
    return redaction.length === 0 ? { traces: 'none' } : { traces: 'removable', redaction };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error; // the disk's fault
    return { traces: 'unreadable' };
  }
}

/** Looks again at what was covered, until nothing more is found. */
function coverAll(cover: Cover, format: Format): boolean {
  const whole = regionOf(cover, [[0, cover.bytes.length]]);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = cover.changes();
    COVERS[format](whole);
    if (cover.changes() === before) return true;
  }
  return false;
}
