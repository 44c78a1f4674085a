import type { FileBytes } from '../core/file-bytes.ts';
import type { Format } from '../formats/content-types.ts';
import { heldBytes } from './bytes/held-bytes.ts';
import { createRedactor } from './bytes/redactor.ts';
import { type Region, regionOf } from './bytes/region.ts';
import { readDirectory, readLayout } from './formats/tiff-directory.ts';
import { readOrientation } from './formats/tiff-orientation.ts';

const MAKE = 0x010f;
const MODEL = 0x0110;
const ASCII = 2;
/** Bytes read of each of the two. */
const LONGEST_VALUE = 256;
/** Maximum characters of the result. */
const LONGEST = 100;

const EXIF = /^Exif\0\0/;

const whole = (bytes: FileBytes): Region => regionOf(createRedactor(bytes), [[0, bytes.length]]);

const tiffOf = (exif: Buffer): Region =>
  whole(heldBytes(exif.subarray(EXIF.test(exif.toString('latin1', 0, 6)) ? 6 : 0)));

/** Untrusted text as one line: UTF-8, or Latin-1 if that is invalid, up to the first NUL. */
function cleaned(value: Buffer): string {
  const end = value.indexOf(0);
  const bytes = end < 0 ? value : value.subarray(0, end);
  const utf8 = bytes.toString('utf8');
  const text = utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8;
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
}

/** `Canon` and `Canon EOS R5` -> `Canon EOS R5`; `NIKON CORPORATION` and `NIKON D850` -> `NIKON D850`. */
function joined(make: string, model: string): string {
  const [brand = ''] = make.toLowerCase().split(' ');
  const names = brand !== '' && model.toLowerCase().startsWith(brand);
  return names ? model : `${make} ${model}`.trim();
}

function readCamera(tiff: Region, mayBeBig: boolean): string | null {
  const layout = readLayout(tiff, mayBeBig);
  const directory = layout && readDirectory(tiff, layout.first, layout);
  const [make = '', model = ''] = [MAKE, MODEL].map((wanted) => {
    const entry = directory?.entries.find(({ tag, type }) => tag === wanted && type === ASCII);
    if (entry === undefined) return '';
    return cleaned(tiff.part(entry.at, entry.at + Math.min(entry.size, LONGEST_VALUE)));
  });
  const camera = [...joined(make, model)].slice(0, LONGEST).join('').trim();
  return camera === '' ? null : camera;
}

/** EXIF's Make and Model in at most 100 characters; null if missing or invalid. @throws Error if the file cannot be read */
export function cameraOf(bytes: FileBytes, format: Format, exif: Buffer | undefined): string | null {
  try {
    if (format === 'tiff') return readCamera(whole(bytes), true);
    return exif === undefined ? null : readCamera(tiffOf(exif), false);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error; // a disk failure
    return null;
  }
}

/** The orientation in EXIF, 1 to 8, as browsers read it. */
export const orientationIn = (exif: Buffer | undefined): number => (exif && readOrientation(tiffOf(exif))) ?? 1;
