import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A picture of about 30 MB; `varied` returns it with different bytes, so that no two uploads are equal. */
export type Picture = { name: string; type: string; bytes: Buffer; varied: (number: number) => Buffer };

type Kind = {
  name: string;
  type: string;
  width: number;
  height: number;
  encode: (image: Sharp) => Sharp;
  vary: (bytes: Buffer, number: number) => Buffer;
};

export const SOI_BYTES = 2;
const PNG_HEADER_BYTES = 33;

export function inserted(bytes: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

/** A JPEG comment of four bytes. */
export function jpegComment(number: number): Buffer {
  const segment = Buffer.from([0xff, 0xfe, 0, 6, 0, 0, 0, 0]);
  segment.writeUInt32BE(number, 4);
  return segment;
}

/** A PNG tEXt chunk `number\0nnnn`. */
function pngText(number: number): Buffer {
  const body = Buffer.from(`tEXtnumber\0${String(number).padStart(4, '0')}`, 'latin1');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Changes one pixel in the middle of uncompressed strips. */
function otherPixel(bytes: Buffer, number: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(number, copy.length >> 1);
  return copy;
}

const kinds: Kind[] = [
  {
    name: 'camera.jpg',
    type: 'image/jpeg',
    width: 5000,
    height: 4000,
    encode: (image) => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }),
    vary: (bytes, number) => inserted(bytes, SOI_BYTES, jpegComment(number)),
  },
  {
    name: 'progressive.jpg',
    type: 'image/jpeg',
    width: 5000,
    height: 4000,
    encode: (image) => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4', progressive: true }),
    vary: (bytes, number) => inserted(bytes, SOI_BYTES, jpegComment(number)),
  },
  {
    name: 'scan.png',
    type: 'image/png',
    width: 3600,
    height: 2700,
    encode: (image) => image.png({ compressionLevel: 1 }),
    vary: (bytes, number) => inserted(bytes, PNG_HEADER_BYTES, pngText(number)),
  },
  {
    name: 'scan.tif',
    type: 'image/tiff',
    width: 3700,
    height: 2700,
    encode: (image) => image.tiff({ compression: 'none' }),
    vary: otherPixel,
  },
];

async function make({ name, type, width, height, encode, vary }: Kind): Promise<Picture> {
  // Noise does not compress, so the file is as large as its pixels.
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const image = sharp({ create: { width, height, channels: 3, background: '#000', noise } });
  const bytes = await encode(image).toBuffer();
  return { name, type, bytes, varied: (number) => vary(bytes, number) };
}

/** Makes one picture of each kind. */
export async function makePictures(): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const kind of kinds) pictures.push(await make(kind));
  return pictures;
}
