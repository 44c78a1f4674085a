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

/** A picture of an accepted format and size, its structure whole, its pixels not yet decoded. */
export type Inspected = {
  format: Format;
  /** What the decoder is given: the file's path, or its bytes where something had to be left out or put right. */
  input: string | Buffer;
  /** As stored, before orientation. */
  width: number;
  height: number;
  /** EXIF's, 1 to 8. */
  orientation: number;
  /** Frames of an animation, pages of a TIFF. */
  pages: number;
  /** Bytes that decoding is expected to hold at once, beyond the file's own and what any picture costs. */
  memory: number;
  /** Bytes of the file; decoders map it into memory. */
  size: number;
  /** Whether browsers cannot show the original, or show it sideways: of all formats, they pass over a WebP's EXIF. */
  needsScreen: boolean;
  /** Colour profile; of HEIC only, since its decoder does not apply it. */
  profile: Buffer | undefined;
  /** Which one took it; null where the file does not say. */
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

/** Measured with flat and with photographic pictures, in bytes held for a pixel. */
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

/**
 * Judges a file by its bytes alone: format, structure, size.
 * @throws Refusal
 */
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

/** The header as the decoder sees it; pixel limits are judged here, before it is asked for a pixel. */
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
  const most = format === 'avif' || format === 'heic' ? limits.maxHeavyPixels : limits.maxPixels;
  if (pixels > most) throw tooManyPixels(most);
  if (pages > 1 && pixels * pages > animationPixels(limits)) {
    throw tooManyPixels(animationPixels(limits), 'all frames together at most');
  }
  if (format === 'tiff' && pages > MAX_PAGES) throw tooManyPixels(MAX_PAGES, 'pages at most');
}

function checkHeld(format: 'jpeg' | 'png', pixels: number, memory: number): void {
  const most = MAX_HELD[format];
  if (memory > most) throw tooManyPixels(Math.floor((pixels * most) / memory), 'of this kind at most');
}
