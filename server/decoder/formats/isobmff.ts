import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

const KNOWN = new Set(['ftyp', 'meta', 'mdat', 'moov', 'free', 'skip', 'idat', 'uuid', 'wide', 'moof', 'mfra']);

/**
 * Walks the top-level boxes (ISO/IEC 14496-12, 4.2). A known box past the file's end is damage; an unknown tail is dropped.
 * `pixels`: the largest size of an item, since a crop or a grid may show less than is decoded.
 */
export function readBoxes(bytes: FileBytes): { input: string | Buffer; pixels: number } {
  let position = 0;
  let pixels = 0;
  while (position + 8 <= bytes.length) {
    const header = bytes.part(position, position + 16);
    if (!KNOWN.has(header.toString('latin1', 4, 8))) break;
    const size = boxSize(header, bytes.length - position);
    if (size < 8) throw damaged();
    if (position + size > bytes.length) throw damaged(ENDS_TOO_EARLY);
    if (header.toString('latin1', 4, 8) === 'meta')
      pixels = Math.max(pixels, largestItem(bytes.part(position, position + size)));
    position += size;
  }
  if (position === 0) throw damaged(ENDS_TOO_EARLY);
  return { input: withBrand(bytes, position), pixels };
}

/** Pixels of the largest `ispe` (ISO/IEC 23008-12, 6.5.3); 0 without one. */
export function largestItem(meta: Buffer): number {
  let pixels = 0;
  for (let at = meta.indexOf('ispe'); at >= 0 && at + 16 <= meta.length; at = meta.indexOf('ispe', at + 4)) {
    pixels = Math.max(pixels, meta.readUInt32BE(at + 8) * meta.readUInt32BE(at + 12));
  }
  return pixels;
}

function boxSize(header: Buffer, left: number): number {
  const size = header.readUInt32BE(0);
  if (size === 0) return left;
  if (size !== 1) return size;
  if (header.length < 16) throw damaged(ENDS_TOO_EARLY);
  return Number(header.readBigUInt64BE(8));
}

/** Major brands that libvips rejects although libheif can read the file; for a sequence, its still picture. */
const STAND_INS: Record<string, string> = { avis: 'avif', hevx: 'mif1', mif2: 'mif1' };

function withBrand(bytes: FileBytes, end: number): string | Buffer {
  const brand = STAND_INS[bytes.text(8, 12)];
  if (brand === undefined && end === bytes.length) return bytes.path;
  const copy = bytes.part(0, end);
  if (brand !== undefined) copy.write(brand, 8, 'latin1');
  return copy;
}
