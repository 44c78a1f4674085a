import { inflateSync } from 'node:zlib';
import { damaged } from '../core/failure.ts';
import { largestItem } from './isobmff.ts';

/** `depth`: bits per sample; `heavy`: whether the lower pixel limit applies. */
export type Raster = { pixels: number; depth: 8 | 16; heavy: boolean };

/** librsvg inflates profiles completely, so larger ones are rejected. */
const MAX_PROFILE = 4 * 1024 * 1024;

/**
 * Undefined if not JPEG, PNG, GIF, WebP or AVIF. librsvg decodes only the first two, but other programs may open the
 * SVG.
 * @throws Refusal if the size cannot be read
 */
export function readRaster(bytes: Buffer): Raster | undefined {
  const reader = readerFor(bytes);
  try {
    return reader?.(bytes);
  } catch (error) {
    throw error instanceof RangeError ? unreadable() : error;
  }
}

function readerFor(bytes: Buffer): ((bytes: Buffer) => Raster) | undefined {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return readPng;
  if (ascii(0, 3) === '\xff\xd8\xff') return readJpeg;
  if (ascii(0, 4) === 'GIF8') return readGif;
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return readWebp;
  if (ascii(4, 8) === 'ftyp' && /^(?:avi|mi|ms)/.test(ascii(8, 12))) return readAvif;
  return undefined;
}

const raster = (width: number, height: number, depth: 8 | 16 = 8): Raster => ({
  pixels: width * height,
  depth,
  heavy: false,
});

const unreadable = () => damaged('the size of a picture inside it cannot be read');

const readGif = (bytes: Buffer) => raster(bytes.readUInt16LE(6), bytes.readUInt16LE(8));

function readPng(bytes: Buffer): Raster {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') throw unreadable();
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'iCCP') {
      checkProfile(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
    }
  }
  return raster(bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes.readUInt8(24) === 16 ? 16 : 8);
}

function checkProfile(chunk: Buffer): void {
  try {
    inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE });
  } catch (error) {
    // The decoder ignores a damaged profile.
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw unreadable();
  }
}

/** Largest of all frame headers: junk may hide one. A height of 0 is defined later in the file (ITU T.81, B.2.5). */
function readJpeg(bytes: Buffer): Raster {
  let pixels = 0;
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && at + 10 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xcf || marker === 0xc4 || marker === 0xc8 || marker === 0xcc) continue;
    const components = bytes[at + 9] ?? 0;
    if (components < 1 || components > 4 || bytes.readUInt16BE(at + 2) !== 8 + 3 * components) continue;
    pixels = Math.max(pixels, (bytes.readUInt16BE(at + 5) || 65_535) * bytes.readUInt16BE(at + 7));
  }
  if (pixels === 0) throw unreadable();
  return raster(pixels, 1);
}

/** The canvas of an extended file, or the frame (RFC 9649, 2.5 to 2.7). */
function readWebp(bytes: Buffer): Raster {
  const type = bytes.toString('latin1', 12, 16);
  if (type === 'VP8X') return raster(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (type === 'VP8 ') return raster(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (type !== 'VP8L') throw unreadable();
  const bits = bytes.readUInt32LE(21);
  return raster((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function readAvif(bytes: Buffer): Raster {
  const pixels = largestItem(bytes);
  if (pixels === 0) throw unreadable();
  return { ...raster(pixels, 1), heavy: true };
}
