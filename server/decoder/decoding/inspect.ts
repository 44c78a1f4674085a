import { damaged, Refusal, refusalOf, tooManyPixels } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';
import { animationPixels, type DecodeLimits, MAX_HELD, MAX_PAGES, MEMORY_BUDGET } from '../core/limits.ts';
import { sharp } from '../core/loaders.ts';
import type { Format } from '../formats/content-types.ts';
import { readGif } from '../formats/gif.ts';
import { readBoxes } from '../formats/isobmff.ts';
import { readJpeg } from '../formats/jpeg.ts';
import { readPng } from '../formats/png.ts';
import { type Kind, sniff } from '../formats/sniff.ts';
import { readSvg } from '../formats/svg.ts';
import { readWebp } from '../formats/webp.ts';
import { cameraOf } from '../metadata/camera.ts';
import { rasterMemory } from './svg-rasters.ts';

/** A picture of an accepted format and size with a complete structure, not decoded yet. */
export type Inspected = {
  format: Format;
  /** The decoder's input: the file's path, or its bytes if parts had to be dropped or corrected. */
  input: string | Buffer;
  /** As stored, before orientation. */
  width: number;
  height: number;
  /** From EXIF, 1 to 8. */
  orientation: number;
  /** Frames of an animation, pages of a TIFF. */
  pages: number;
  /** Estimated peak bytes of decoding, excluding the file and the cost of any picture. */
  memory: number;
  /** Bytes of the file, which decoders map into memory. */
  size: number;
  /** Whether browsers cannot show the original upright. They ignore the EXIF of WebP only. */
  needsScreen: boolean;
  /** Colour profile; only for HEIC, whose decoder does not apply it. */
  profile: Buffer | undefined;
  camera: string | null;
};

type Shape = {
  input: string | Buffer;
  frames: number;
  pixels: number;
  memory: number;
  unusual: boolean;
  lossless: boolean;
};

const PLAIN = { frames: 1, pixels: 0, memory: 0, unusual: false, lossless: true };

const READERS: Record<Kind, (bytes: FileBytes) => Partial<Shape>> = {
  jpeg: readJpeg,
  png: (bytes) => {
    const { width, height, ...rest } = readPng(bytes);
    return { ...rest, pixels: width * height };
  },
  gif: (bytes) => {
    const { width, height, frames } = readGif(bytes);
    return { frames, pixels: width * height };
  },
  webp: readWebp,
  heif: (bytes) => ({ input: readBoxes(bytes) }),
  tiff: () => ({}),
  svg: (bytes) => ({ input: readSvg(bytes) }),
};

/** Bytes held per pixel, measured with flat and photographic pictures. */
const BYTES_PER_PIXEL: Record<Format, number> = {
  jpeg: 0,
  png: 0,
  webp: 5,
  gif: 5.5,
  avif: 20,
  tiff: 4,
  svg: 4,
  heic: 20,
};

/** Checks the format, structure and size of a file by its bytes. @throws Refusal */
export async function inspect(bytes: FileBytes, limits: DecodeLimits): Promise<Inspected> {
  if (bytes.length === 0) throw new Refusal('EMPTY_FILE', 'the file is empty');
  const kind = sniff(bytes);
  if (kind === undefined) throw new Refusal('NOT_AN_IMAGE', 'the file is of no accepted format');
  const shape: Shape = { ...PLAIN, input: bytes.path, ...READERS[kind](bytes) };
  const inside = kind === 'svg' ? rasterMemory(shape.input.toString(), limits) : 0;
  if (shape.pixels > limits.maxPixels) throw tooManyPixels(limits.maxPixels);
  const header = await readHeader(shape.input, kind);
  const format = formatOf(kind, header.compression);
  const orientation = header.orientation ?? 1;
  const pages = kind === 'tiff' ? (header.pages ?? 1) : shape.frames;
  const { width, height } = header;
  checkSize(format, width * height, pages, limits);
  if (format === 'jpeg' || format === 'png') checkHeld(format, width * height, shape.memory);
  const memory = (shape.memory || width * height * (shape.lossless ? BYTES_PER_PIXEL[format] : 1)) + inside;
  return {
    format,
    input: shape.input,
    width,
    height,
    orientation,
    pages,
    memory: Math.min(memory, MEMORY_BUDGET),
    size: bytes.length,
    needsScreen: format === 'heic' || format === 'tiff' || shape.unusual || (orientation !== 1 && format === 'webp'),
    profile: format === 'heic' ? header.icc : undefined,
    camera: cameraOf(bytes, format, header.exif),
  };
}

/** The header as the decoder reads it, so that limits are checked before any pixel is decoded. */
async function readHeader(input: string | Buffer, kind: Kind) {
  try {
    const header = await sharp(input, { failOn: 'warning', limitInputPixels: false }).metadata();
    if (header.format !== kind) throw damaged();
    return header;
  } catch (error) {
    throw refusalOf(error);
  }
}

function formatOf(kind: Kind, compression: string | undefined): Format {
  if (kind !== 'heif') return kind;
  if (compression === 'av1') return 'avif';
  if (compression === 'hevc') return 'heic';
  throw new Refusal('NOT_AN_IMAGE', 'the file is of no accepted format');
}

function checkSize(format: Format, pixels: number, pages: number, limits: DecodeLimits): void {
  const max = format === 'avif' || format === 'heic' ? limits.maxHeavyPixels : limits.maxPixels;
  if (pixels > max) throw tooManyPixels(max);
  if (pages > 1 && pixels * pages > animationPixels(limits)) {
    throw tooManyPixels(animationPixels(limits), 'all frames together at most');
  }
  if (format === 'tiff' && pages > MAX_PAGES) throw tooManyPixels(MAX_PAGES, 'pages at most');
}

function checkHeld(format: 'jpeg' | 'png', pixels: number, memory: number): void {
  const max = MAX_HELD[format];
  if (memory > max) throw tooManyPixels(Math.floor((pixels * max) / memory), 'of this kind at most');
}
