import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import libheif from 'libheif-js/wasm-bundle.js';
import { damaged, refusalOf } from '../core/failure.ts';
import { type Sharp, sharp } from '../core/loaders.ts';
import type { Pixels } from '../core/pixels.ts';
import { pngChunk } from '../formats/png-chunk.ts';
import { takeCrop } from './clean-aperture.ts';

/** Samples that libheif leaves unscaled fill 16 bits. */
type Source = { image: Sharp; release(): void };

/**
 * Decodes the primary picture of a HEIC, which sharp lacks, upright and cropped, in its colour space.
 * @param bits per sample of the result: 8, or 10 and more for HDR @throws Refusal
 */
export async function openHeic(input: string | Buffer, bits: number): Promise<Source> {
  const bytes = typeof input === 'string' ? await readFile(input) : input;
  const crop = takeCrop(bytes);
  await libheif.ready;
  const context = libheif.heif_context_alloc();
  try {
    checked(libheif.heif_context_read_from_memory(context, bytes));
    const decoded = decodePrimary(context, bits);
    return { ...decoded, image: crop ? decoded.image.extract(crop) : decoded.image };
  } finally {
    libheif.heif_context_free(context);
  }
}

type Context = Parameters<typeof libheif.heif_context_free>[0];

function decodePrimary(context: Context, bits: number): Source {
  const handle = checked(libheif.heif_js_context_get_primary_image_handle(context));
  try {
    return decode(handle, bits);
  } finally {
    libheif.heif_image_handle_release(handle);
  }
}

type Handle = Parameters<typeof libheif.heif_image_handle_release>[0];

function decode(handle: Handle, bits: number): Source {
  const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const chroma = `heif_chroma_interleaved_${bits > 8 ? DEEP[channels] : PLAIN[channels]}` as const;
  const colorspace = libheif.heif_colorspace.heif_colorspace_RGB;
  const decoded = checked(libheif.heif_js_decode_image2(handle, colorspace, libheif.heif_chroma[chroma]));
  const release = () => libheif.heif_image_release(decoded.image);
  const [pixels] = decoded.channels;
  if (pixels === undefined) throw damaged();
  const { width, height } = pixels;
  const bytes = withoutGaps(pixels, width * channels * (bits > 8 ? 2 : 1));
  const samples = bits > 8 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes;
  return { image: sharp(samples, { raw: { width, height, channels }, limitInputPixels: false }), release };
}

const PLAIN = { 3: 'RGB', 4: 'RGBA' } as const;
const DEEP = { 3: 'RRGGBB_LE', 4: 'RRGGBBAA_LE' } as const;

/** Moves the rows together where they are: a copy would need as much memory again. */
function withoutGaps({ data, height, stride }: { data: Uint8Array; height: number; stride: number }, row: number) {
  if (stride !== row) for (let y = 1; y < height; y += 1) data.copyWithin(y * row, y * stride, y * stride + row);
  return data.subarray(0, row * height);
}

/** @throws Refusal if libheif reports a failure */
function checked<T extends object>(result: T): Exclude<T, Failure> {
  const { code, message } = result as Failure;
  if (code === undefined || code === libheif.heif_error_code.heif_error_Ok) return result as Exclude<T, Failure>;
  throw refusalOf(new Error(String(message)));
}

type Failure = Extract<ReturnType<typeof libheif.heif_js_context_get_primary_image_handle>, { message: string }>;

/** sharp cannot attach a profile to raw pixels, so an uncompressed PNG carries both. */
export async function withProfile(pixels: Pixels, profile: Buffer): Promise<Pixels> {
  try {
    const { data, info } = await sharp(pngWithProfile(pixels, profile)).raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: pixels.channels };
  } catch {
    return pixels; // an unreadable profile does not reject the picture
  }
}

function pngWithProfile({ data, width, height, channels }: Pixels, profile: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, channels === 4 ? 6 : 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const stride = width * channels;
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
