import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Test } from 'tap';
import { openBytes } from '../core/file-bytes.ts';
import type { DecodeLimits } from '../core/limits.ts';
import { decode } from '../decoding/decode.ts';
import { type Inspected, inspect } from '../decoding/inspect.ts';
import type { Outcome } from '../protocol/messages.ts';

export const LIMITS: DecodeLimits = { maxPixels: 100_000_000, maxHeavyPixels: 50_000_000, timeoutMs: 60_000 };

type Rgb = readonly [number, number, number];
export const CORNERS = { topLeft: [220, 30, 30], topRight: [30, 180, 30], bottomLeft: [30, 30, 220] } as const;
const BOTTOM_RIGHT: Rgb = [230, 210, 40];

/** Four quarters of different colours, which show every rotation and flip. */
export function quarters(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const left = x < width / 2;
      const colour =
        y < height / 2 ? (left ? CORNERS.topLeft : CORNERS.topRight) : left ? CORNERS.bottomLeft : BOTTOM_RIGHT;
      data.set(colour, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Noise on a gradient, whose coded data is long enough to be truncated anywhere. */
export function photograph(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3);
  let noise = 1;
  for (let i = 0; i < data.length; i += 1) {
    noise = (noise * 1103515245 + 12345) & 0x7fffffff;
    data[i] = (i / 900 + ((noise >> 16) & 31)) & 255;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Frames of changing colour, stacked vertically as sharp expects. */
export function animation(width: number, height: number, frames: number): Sharp {
  const data = Buffer.alloc(width * height * frames * 3);
  for (let i = 0; i < data.length; i += 1) data[i] = (i >> 8) & 255;
  return sharp(data, {
    raw: { width, height: height * frames, channels: 3, pageHeight: height },
    limitInputPixels: false,
  });
}

export async function coloursOf(picture: Buffer): Promise<(across: number, down: number) => number[]> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return (across, down) => {
    const x = Math.min(info.width - 1, Math.floor(info.width * across));
    const y = Math.min(info.height - 1, Math.floor(info.height * down));
    return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  };
}

export const colourAt = async (picture: Buffer, across: number, down: number): Promise<number[]> =>
  (await coloursOf(picture))(across, down);

export const difference = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? value))));

export async function fileOf(t: Test, bytes: Buffer | string, name = 'picture'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'decoder-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

export async function decodeBytes(bytes: Buffer | string, limits = LIMITS): Promise<Outcome> {
  return withFile(bytes, (path) => decode(path, limits));
}

export async function inspectBytes(bytes: Buffer, limits = LIMITS): Promise<Inspected> {
  return withFile(bytes, async (path) => {
    const file = openBytes(path);
    return inspect(file, limits).finally(() => file.close());
  });
}

async function withFile<T>(bytes: Buffer | string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `decoder-${randomUUID()}`);
  await writeFile(path, bytes);
  return use(path).finally(() => rm(path));
}
