import type { Redaction } from '../../../drizzle/schema.ts';
import type { FileBytes } from '../core/file-bytes.ts';
import type { Format } from '../formats/content-types.ts';
import { sniff } from '../formats/sniff.ts';
import { createRedactor, type Redactor } from './bytes/redactor.ts';
import { type Region, regionOf } from './bytes/region.ts';
import { redactGif } from './formats/gif.ts';
import { redactHeif } from './formats/heif.ts';
import { redactJpegFile } from './formats/jpeg.ts';
import { redactPng } from './formats/png.ts';
import { redactSvg } from './formats/svg.ts';
import { redactTiffFile } from './formats/tiff.ts';
import { redactWebp } from './formats/webp.ts';

/** `unreadable`: there may be some that cannot be redacted; `redaction`: replaces those that can. */
export type SensitiveMetadata =
  | { traces: 'none' | 'unreadable'; redaction?: undefined }
  | { traces: 'removable'; redaction: Redaction };

/** Redacting can expose more in hostile files; honest ones need two rounds, the second as a check. */
const MAX_ROUNDS = 5;

const COVERS: Record<Format, (file: Region) => void> = {
  jpeg: redactJpegFile,
  png: redactPng,
  webp: redactWebp,
  gif: redactGif,
  avif: redactHeif,
  heic: redactHeif,
  tiff: redactTiffFile,
  svg: (file) => redactSvg(file, redactEmbedded),
};

function redactEmbedded(picture: Region): void {
  const kind = sniff(picture.redactor.bytes);
  if (kind !== undefined) COVERS[kind === 'heif' ? 'heic' : kind](picture);
}

/**
 * Finds locations and serial numbers in a picture's metadata, and the bytes that the public link replaces. The file
 * keeps its length, pixels, colours and orientation. Content that cannot be parsed is `unreadable`, never an exception.
 * @throws Error if the file cannot be read
 */
export function findSensitiveMetadata(bytes: FileBytes, format: Format): SensitiveMetadata {
  try {
    const redactor = createRedactor(bytes);
    if (!redactAll(redactor, format)) return { traces: 'unreadable' };
    const redaction = redactor.finish();
    return redaction.length === 0 ? { traces: 'none' } : { traces: 'removable', redaction };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error; // a disk failure
    return { traces: 'unreadable' };
  }
}

function redactAll(redactor: Redactor, format: Format): boolean {
  const whole = regionOf(redactor, [[0, redactor.bytes.length]]);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = redactor.changes();
    COVERS[format](whole);
    if (redactor.changes() === before) return true;
  }
  return false;
}
