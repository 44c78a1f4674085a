import type { Colour } from '../core/colour.ts';
import { damaged, Refusal, refusalOf, tooManyPixels } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';
import { type DecodeLimits, MAX_HELD, MAX_PAGES, MEMORY_BUDGET, pixelsTogether } from '../core/limits.ts';
import { sharp } from '../core/loaders.ts';
import type { Format } from '../formats/content-types.ts';
import { readGif } from '../formats/gif.ts';
import { readBoxes } from '../formats/isobmff.ts';
import { readJpeg } from '../formats/jpeg.ts';
import { readPng } from '../formats/png.ts';
import { type Kind, sniff } from '../formats/sniff.ts';
import { readSvg, SIDE } from '../formats/svg.ts';
import { readWebp } from '../formats/webp.ts';
import { cameraOf, orientationIn } from '../metadata/camera.ts';
import { colourOfHeif } from '../metadata/colour.ts';
import { readPages } from '../metadata/tiff-pages.ts';
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
  /** The picture that is shown: the primary one of AVIF and HEIC, otherwise 0. */
  page: number;
  /** Of a TIFF. */
  pages: number;
  /** The frames after the first, as separate pictures; only of WebP. */
  otherFrames: Iterable<Buffer>;
  samples: Samples;
  /** How samples become sRGB, instead of by a profile. */
  colour: Colour | undefined;
  /** Colour profile; only for HEIC, whose decoder does not apply it. */
  profile: Buffer | undefined;
  /** Warnings at the header, which concern no pixels. */
  remarks: readonly string[];
  /** Estimated peak bytes of decoding, excluding the file and the cost of any picture. */
  memory: number;
  /** Bytes of the file, which decoders map into memory. */
  size: number;
  /** Whether browsers cannot show the original upright. They ignore the EXIF of WebP only. */
  needsScreen: boolean;
  camera: string | null;
};

/** `depth` and `space` as sharp names them. */
export type Samples = { depth: string; space: string; bits: number; hasProfile: boolean; whiteIsZero: boolean };

type Shape = {
  input: string | Buffer;
  otherFrames: Iterable<Buffer>;
  /** As decoded: a crop makes the size in the header smaller. */
  pixels: number;
  /** Pixels of all frames or pages that are decoded. */
  work: number;
  memory: number;
  colour: Colour | undefined;
  unusual: boolean;
  lossless: boolean;
  /** Of a grey TIFF. */
  whiteIsZero: boolean;
};

const PLAIN = {
  ...{ otherFrames: [], pixels: 0, work: 0, memory: 0 },
  ...{ colour: undefined, unusual: false, lossless: true, whiteIsZero: false },
};

const READERS: Record<Kind, (bytes: FileBytes) => Partial<Shape>> = {
  jpeg: readJpeg,
  png: (bytes) => {
    const { width, height, ...rest } = readPng(bytes);
    return { ...rest, pixels: width * height };
  },
  gif: (bytes) => {
    const { width, height } = readGif(bytes);
    return { pixels: width * height };
  },
  webp: readWebp,
  heif: (bytes) => ({ ...readBoxes(bytes), colour: colourOfHeif(bytes) }),
  tiff: readPages,
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
  checkSize(kind, shape.pixels, limits);
  const { remarks, ...header } = await readHeader(shape.input, kind);
  const format = formatOf(kind, header.compression);
  const orientation = orientationOf(format, header);
  const pages = kind === 'tiff' ? (header.pages ?? 1) : 1;
  const { width, height } = format === 'svg' ? drawnSize(header, limits) : header;
  const pixels = Math.max(width * height, shape.pixels);
  checkSize(format, pixels, limits);
  checkWork(pages, shape.work, limits);
  if (format === 'jpeg' || format === 'png') checkHeld(format, width * height, shape.memory);
  const memory = (shape.memory || pixels * (shape.lossless ? BYTES_PER_PIXEL[format] : 1)) + inside;
  return {
    format,
    input: shape.input,
    width,
    height,
    orientation,
    page: header.pagePrimary ?? 0,
    pages,
    otherFrames: shape.otherFrames,
    samples: {
      depth: header.depth,
      space: header.space,
      bits: header.bitsPerSample ?? 8,
      hasProfile: header.hasProfile,
      whiteIsZero: shape.whiteIsZero,
    },
    // In AVIF and HEIC too, a profile counts before code points.
    colour: kind === 'heif' && header.hasProfile ? undefined : shape.colour,
    profile: format === 'heic' ? header.icc : undefined,
    remarks,
    memory: Math.min(memory, MEMORY_BUDGET),
    size: bytes.length,
    needsScreen: format === 'heic' || format === 'tiff' || shape.unusual || (orientation !== 1 && format === 'webp'),
    camera: cameraOf(bytes, format, header.exif),
  };
}

type Header = Awaited<ReturnType<ReturnType<typeof sharp>['metadata']>>;

/** The header as the decoder reads it, so that limits are checked before any pixel is decoded. */
async function readHeader(input: string | Buffer, kind: Kind): Promise<Header & { remarks: string[] }> {
  try {
    const remarks: string[] = [];
    const read = (page: number) =>
      sharp(input, { failOn: kind === 'tiff' ? 'error' : 'warning', limitInputPixels: false, page })
        .on('warning', (remark) => remarks.push(remark))
        .metadata();
    const first = await read(0);
    if (first.format !== kind) throw damaged();
    return { ...(first.pagePrimary ? await read(first.pagePrimary) : first), remarks };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** libheif turns AVIF and HEIC by their own properties; their EXIF does not count (ISO/IEC 23000-22, 7.3.6). */
function orientationOf(format: Format, { orientation, exif }: Header): number {
  if (format === 'avif' || format === 'heic') return 1;
  return format === 'tiff' ? (orientation ?? 1) : orientationIn(exif);
}

function formatOf(kind: Kind, compression: string | undefined): Format {
  if (kind !== 'heif') return kind;
  if (compression === 'av1') return 'avif';
  if (compression === 'hevc') return 'heic';
  throw new Refusal('NOT_AN_IMAGE', 'the file is of no accepted format');
}

/** A drawing is rendered at any size, so one above the limit is only smaller. */
function drawnSize({ width, height }: Header, { maxPixels }: DecodeLimits): { width: number; height: number } {
  if (width * height <= maxPixels) return { width, height };
  const scale = SIDE / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function checkSize(format: Format | Kind, pixels: number, limits: DecodeLimits): void {
  const max = format === 'heif' || format === 'avif' || format === 'heic' ? limits.maxHeavyPixels : limits.maxPixels;
  if (pixels > max) throw tooManyPixels(max);
}

function checkWork(pages: number, pixels: number, limits: DecodeLimits): void {
  const max = pixelsTogether(limits);
  if (pixels > max) throw tooManyPixels(max, 'all frames or pages together at most');
  if (pages > MAX_PAGES) throw tooManyPixels(MAX_PAGES, 'pages at most');
}

function checkHeld(format: 'jpeg' | 'png', pixels: number, memory: number): void {
  const max = MAX_HELD[format];
  if (memory > max) throw tooManyPixels(Math.floor((pixels * max) / memory), 'of this kind at most');
}
