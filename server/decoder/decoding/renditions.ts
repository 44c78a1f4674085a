import { refusalOf } from '../core/failure.ts';
import { animationPixels, type DecodeLimits } from '../core/limits.ts';
import { type Sharp, sharp } from '../core/loaders.ts';
import type { Pixels } from '../core/pixels.ts';
import type { Wanted } from '../protocol/messages.ts';
import type { Inspected } from './inspect.ts';
import { toPlaceholder } from './placeholder.ts';

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
  const upright = await turn(pixels, picture.format === 'heic' ? 1 : picture.orientation);
  const sideways = picture.orientation > 4 && picture.format !== 'heic';
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

async function decode(picture: Inspected, side: number, limits: DecodeLimits): Promise<Pixels> {
  if (picture.format === 'heic') {
    const { decodeHeic } = await import('./heic.ts'); // 20 MB that most workers never need
    return decodeHeic(picture, side, limits.maxHeavyPixels);
  }
  try {
    const pixels = await reduce(open(picture, { page: 0 }), side);
    if (picture.pages > 1) await decodeOtherPages(picture, limits);
    return pixels;
  } catch (error) {
    throw refusalOf(error);
  }
}

// Any warning rejects the picture: a decoder that warns has invented pixels. inspect() has checked the size.
const open = (picture: Inspected, options: { page?: number; pages?: number; limitInputPixels?: number }) =>
  sharp(picture.input, { failOn: 'warning', sequentialRead: true, limitInputPixels: false, ...options });

/** Reads every coded byte: JPEG and WebP decode the whole file at reduced scales too. */
async function reduce(image: Sharp, side: number): Promise<Pixels> {
  const { data, info } = await image
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 3 ? 3 : 4 };
}

/**
 * Decodes the other frames, streamed through one pixel: that requires each whole frame but no memory. A TIFF's strips
 * are read only as needed, so its pages are reduced one by one.
 */
async function decodeOtherPages(picture: Inspected, limits: DecodeLimits): Promise<void> {
  if (picture.format !== 'tiff') {
    const frames = open(picture, { pages: -1, limitInputPixels: animationPixels(limits) });
    await frames.resize(1, 1, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
    return;
  }
  // The pages of a TIFF may differ in size.
  for (let page = 1; page < picture.pages; page += 1) {
    await reduce(open(picture, { page, limitInputPixels: limits.maxPixels }), THUMBNAIL);
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
