import { type Colour, isHdr } from '../core/colour.ts';
import { damaged, refusalOf } from '../core/failure.ts';
import type { DecodeLimits } from '../core/limits.ts';
import { type Sharp, sharp } from '../core/loaders.ts';
import type { Pixels } from '../core/pixels.ts';
import type { Wanted } from '../protocol/messages.ts';
import type { Inspected } from './inspect.ts';
import { isOdd, readLevels } from './odd-samples.ts';
import { toPlaceholder } from './placeholder.ts';
import { repaired } from './repair.ts';
import { toSrgb } from './to-srgb.ts';

const THUMBNAIL = 480;
const SCREEN = 1600;

type Renditions = {
  width: number;
  height: number;
  placeholder: string;
  thumbnail: Buffer;
  screen: Buffer | undefined;
  thumbnailAvif: Buffer | undefined;
  screenAvif: Buffer | undefined;
};

/** Decodes a picture completely, once, and makes all renditions from the reduced pixels. @throws Refusal */
export async function render(
  picture: Inspected,
  limits: DecodeLimits,
  wanted: Wanted,
  onRead = () => {},
): Promise<Renditions> {
  const pixels = await decode(picture, wanted.screen ? SCREEN : THUMBNAIL, limits);
  onRead();
  const upright = await turn(pixels, picture.orientation);
  const sideways = picture.orientation > 4;
  const screen = wanted.screen ? await toWebp(upright, SCREEN, 82) : undefined;
  const thumbnail = await toWebp(upright, THUMBNAIL, 75);
  return {
    width: sideways ? picture.height : picture.width,
    height: sideways ? picture.width : picture.height,
    screen,
    thumbnail,
    screenAvif: wanted.avif && screen ? await toAvif(upright, SCREEN, screen) : undefined,
    thumbnailAvif: wanted.avif ? await toAvif(upright, THUMBNAIL, thumbnail) : undefined,
    placeholder: toPlaceholder(upright),
  };
}

/** Places with junk that a JPEG may have. */
const REPAIRS = 3;

async function decode(picture: Inspected, side: number, limits: DecodeLimits, repairs = REPAIRS): Promise<Pixels> {
  try {
    if (picture.format === 'heic') return await decodeHeic(picture, side);
    const pixels = await reduce(open(picture, { page: picture.page }), picture, side);
    for (const frame of picture.otherFrames) await readWhole(frame);
    await readOtherPages(picture, limits);
    return pixels;
  } catch (error) {
    const input = repairs > 0 ? await repaired(picture, error) : undefined;
    if (input === undefined) throw refusalOf(error);
    return decode({ ...picture, input }, side, limits, repairs - 1);
  }
}

async function decodeHeic(picture: Inspected, side: number): Promise<Pixels> {
  const { openHeic, withProfile } = await import('./heic.ts'); // 20 MB that most workers never need
  const bits = picture.colour && isHdr(picture.colour) ? picture.samples.bits : 8;
  const heic = await openHeic(picture.input, bits);
  try {
    const samples = { ...picture.samples, bits, depth: bits > 8 ? 'ushort' : 'uchar' };
    const pixels = await reduce(heic.image, { ...picture, samples }, side, 2 ** bits - 1);
    return picture.profile === undefined ? pixels : await withProfile(pixels, picture.profile);
  } finally {
    heic.release();
  }
}

// Any warning rejects the picture: a decoder that warns has invented pixels. libtiff also warns of directories, so its
// warnings are compared with those of the header. inspect() has checked the size.
const open = ({ input, format, colour }: Inspected, options: { page: number; limitInputPixels?: number }) =>
  sharp(input, {
    failOn: format === 'tiff' ? 'error' : 'warning',
    ignoreIcc: colour !== undefined,
    sequentialRead: true,
    limitInputPixels: false,
    ...options,
  });

/** Reads every coded byte: JPEG and WebP decode the whole file at reduced scales too. @param max of a sample */
async function reduce(image: Sharp, picture: Inspected, side: number, max?: number): Promise<Pixels> {
  const { colour, format, samples, remarks } = picture;
  const warnings: string[] = [];
  const reduced = image
    .on('warning', (warning) => warnings.push(warning))
    .resize(side, side, { fit: 'inside', withoutEnlargement: format !== 'svg' });
  const pixels = isOdd(samples)
    ? await readLevels(reduced, samples)
    : await readSamples(reduced, colour && { colour, max, depth: samples.depth });
  if (format === 'tiff' && warnings.some((warning) => !remarks.includes(warning))) throw damaged();
  return pixels;
}

type Coding = { colour: Colour; depth: string; max: number | undefined };

/** sharp applies profiles, but ignores other descriptions of colour. */
async function readSamples(image: Sharp, coding: Coding | undefined): Promise<Pixels> {
  const isDeep = coding?.depth === 'ushort';
  const output = isDeep ? image.toColourspace('rgb16').raw({ depth: 'ushort' }) : image.raw();
  const { data, info } = await output.toBuffer({ resolveWithObject: true });
  const shape = { width: info.width, height: info.height, channels: info.channels === 3 ? 3 : 4 } as const;
  if (coding === undefined) return { ...shape, data };
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { ...shape, data: toSrgb(samples, { ...shape, ...coding }) };
}

/** Other frames are decoded into one pixel each: that requires the whole frame. */
const readWhole = (frame: Buffer) =>
  sharp(frame, { failOn: 'warning', sequentialRead: true })
    .resize(1, 1, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer();

/** A TIFF's strips are read only as needed, so its pages are reduced one by one. They may differ in size. */
async function readOtherPages(picture: Inspected, { maxPixels }: DecodeLimits): Promise<void> {
  for (let page = 1; page < picture.pages; page += 1) {
    const options = { page, limitInputPixels: maxPixels };
    const { depth, space, hasProfile } = await open(picture, options).metadata();
    const samples = { ...picture.samples, depth, space, hasProfile };
    await reduce(open(picture, options), { ...picture, samples }, THUMBNAIL);
  }
}

const raw = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

/** EXIF orientation as a clockwise rotation, then a horizontal flip. */
const TURNS: Record<number, { angle: number; mirror: boolean }> = {
  2: { angle: 0, mirror: true },
  3: { angle: 180, mirror: false },
  4: { angle: 180, mirror: true },
  5: { angle: 90, mirror: true },
  6: { angle: 90, mirror: false },
  7: { angle: 270, mirror: true },
  8: { angle: 270, mirror: false },
};

/** Turns the reduced pixels; turning the original would need all of it in memory. */
async function turn(pixels: Pixels, orientation: number): Promise<Pixels> {
  const turning = TURNS[orientation];
  if (turning === undefined) return pixels;
  const turned = turning.angle === 0 ? pixels : await collect(raw(pixels).rotate(turning.angle), pixels.channels);
  return turning.mirror ? collect(raw(turned).flop(), pixels.channels) : turned;
}

async function collect(image: Sharp, channels: 3 | 4): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels };
}

const toWebp = (pixels: Pixels, side: number, quality: number) =>
  raw(pixels).resize(side, side, { fit: 'inside', withoutEnlargement: true }).webp({ quality, effort: 2 }).toBuffer();

/** AVIF takes four times the encoding time, so it must be at least this much smaller. */
const WORTH = 0.8;

/** @returns undefined if AVIF would not be a fifth smaller than the WebP */
async function toAvif(pixels: Pixels, side: number, webp: Buffer): Promise<Buffer | undefined> {
  const avif = await raw(pixels)
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .avif({ quality: 50, effort: 2 })
    .toBuffer();
  return avif.length <= webp.length * WORTH ? avif : undefined;
}
