import { damaged, ENDS_TOO_EARLY } from './failure.ts';

const KNOWN = new Set(['ftyp', 'meta', 'mdat', 'moov', 'free', 'skip', 'idat', 'uuid', 'wide', 'moof', 'mfra']);

/**
 * Walks the top boxes (ISO/IEC 14496-12, 4.2): a known box that reaches past the end is a cut file; anything else
 * there is a tail that does no harm and is left out.
 */
export function readBoxes(bytes: Buffer): Buffer {
  let position = 0;
  while (position + 8 <= bytes.length) {
    const type = bytes.toString('latin1', position + 4, position + 8);
    if (!KNOWN.has(type)) break;
    const size = boxSize(bytes, position);
    if (size < 8) throw damaged();
    if (position + size > bytes.length) throw damaged(ENDS_TOO_EARLY);
    position += size;
  }
  if (position === 0) throw damaged(ENDS_TOO_EARLY);
  return withBrand(bytes.subarray(0, position));
}

function boxSize(bytes: Buffer, position: number): number {
  const size = bytes.readUInt32BE(position);
  if (size === 0) return bytes.length - position;
  if (size !== 1) return size;
  if (position + 16 > bytes.length) throw damaged(ENDS_TOO_EARLY);
  return Number(bytes.readBigUInt64BE(position + 8));
}

/** Brands that libvips does not know, though libheif reads what they stand for; of a sequence, its still picture. */
const STAND_INS: Record<string, string> = { avis: 'avif', hevx: 'mif1', mif2: 'mif1' };

function withBrand(bytes: Buffer): Buffer {
  const brand = STAND_INS[bytes.toString('latin1', 8, 12)];
  if (brand === undefined) return bytes;
  const copy = Buffer.from(bytes);
  copy.write(brand, 8, 'latin1');
  return copy;
}
