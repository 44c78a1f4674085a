import { crc32 } from 'node:zlib';
import { damaged, ENDS_TOO_EARLY } from './failure.ts';

/** `memory` in bytes: interlaced pictures are decoded whole, others row by row. */
export type PngShape = { bytes: Buffer; width: number; height: number; memory: number };

const SIGNATURE = 8;
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'iCCP', 'eXIf']);
const CAPPED = new Set(['iCCP', 'eXIf']);
const CAP = 256 * 1024;
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Walks the chunks to IEND (PNG 5.3), checks every CRC, and leaves out what the picture does not need: 64 text chunks
 * in half a megabyte inflate to 3 GB inside libpng. What follows IEND is left out as well. Works inside `bytes`, which
 * may be the largest thing in memory, and gives back a part of it.
 */
export function readPng(bytes: Buffer): PngShape {
  let written = SIGNATURE;
  let position = SIGNATURE;
  let type = '';
  while (type !== 'IEND') {
    if (position + 12 > bytes.length) throw damaged(ENDS_TOO_EARLY);
    const length = bytes.readUInt32BE(position);
    const end = position + 12 + length;
    type = bytes.toString('latin1', position + 4, position + 8);
    if (position === SIGNATURE && (type !== 'IHDR' || length !== 13)) throw damaged();
    if (end > bytes.length) throw damaged(ENDS_TOO_EARLY);
    if (crc32(bytes.subarray(position + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
    if (KEPT.has(type) && !(CAPPED.has(type) && length > CAP)) {
      if (written !== position) bytes.copyWithin(written, position, end);
      written += end - position;
    }
    position = end;
  }
  return { bytes: bytes.subarray(0, written), ...readHeader(bytes.subarray(SIGNATURE + 8)) };
}

function readHeader(header: Buffer): { width: number; height: number; memory: number } {
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const depth = header[8] === 16 ? 2 : 1;
  const palette = header[9] === 3;
  // A palette or a transparent colour may become RGBA.
  const channels = palette ? 4 : (CHANNELS[header[9] ?? 0] ?? 4);
  return { width, height, memory: header[12] === 1 ? width * height * channels * depth : 0 };
}
