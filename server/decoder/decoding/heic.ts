import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import decode from 'heic-decode';
import { damaged, refusalOf, tooManyPixels } from '../core/failure.ts';
import { sharp } from '../core/loaders.ts';
import type { Pixels } from '../core/pixels.ts';
import { pngChunk } from '../formats/png-chunk.ts';
import type { Inspected } from './inspect.ts';

/** Decodes HEIC, which sharp lacks, upright and in sRGB, to fit a square of `side` px. @throws Refusal */
export async function decodeHeic(picture: Inspected, side: number, maxPixels: number): Promise<Pixels> {
  const { width, height, data } = await decodeFirst(picture.input, maxPixels);
  const { data: small, info } = await sharp(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels: 4 },
    limitInputPixels: false,
  })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels: Pixels = { data: small, width: info.width, height: info.height, channels: 4 };
  return picture.profile === undefined ? pixels : toSrgb(pixels, picture.profile);
}

async function decodeFirst(input: string | Buffer, maxPixels: number) {
  const bytes = typeof input === 'string' ? await readFile(input) : input;
  const images = await decode.all({ buffer: withKnownBrand(bytes) }).catch((error) => {
    throw refusalOf(error);
  });
  try {
    const [first] = images;
    if (first === undefined) throw damaged();
    if (first.width * first.height > maxPixels) throw tooManyPixels(maxPixels);
    return await first.decode();
  } catch (error) {
    throw refusalOf(error);
  } finally {
    images.dispose();
  }
}

/** heic-decode accepts only a few major brands; libheif has already verified the codec. */
function withKnownBrand(bytes: Buffer): Uint8Array {
  bytes.write('heic', 8, 'latin1');
  return bytes;
}

/** sharp cannot attach a profile to raw pixels, so an uncompressed PNG carries both. */
async function toSrgb(pixels: Pixels, profile: Buffer): Promise<Pixels> {
  try {
    const { data, info } = await sharp(pngWithProfile(pixels, profile))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: 4 };
  } catch {
    return pixels; // an unreadable profile does not reject the picture
  }
}

function pngWithProfile({ data, width, height }: Pixels, profile: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const stride = width * 4;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) data.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])),
    pngChunk('IDAT', deflateSync(rows, { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
