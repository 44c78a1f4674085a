import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { inserted, jpegComment, type Picture, SOI_BYTES } from './pictures.ts';
import { drawScene } from './scene.ts';

/** A JPEG of 12 megapixels and 3 to 6 MB, like a camera's; `path` is the file that holds `bytes`. */
export type Photograph = Picture & { path: string };

const COUNT = 40;
const WIDTH = 4000;
const HEIGHT = 3000;

/** Kept in build/; increase the number when the photographs are generated differently. */
const FOLDER = join(import.meta.dirname, '..', '..', 'photographs-1');

/** Encodes like a camera: 4:2:0, quality 87 to 92; every fourth has an Exif orientation for portrait. */
async function encode(seed: number): Promise<Buffer> {
  const { data, width, height } = drawScene(seed, WIDTH, HEIGHT);
  const orientation = seed % 4 === 0 ? '6' : '1';
  return sharp(data, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Make: 'Bench', Model: 'Seeded', Orientation: orientation } })
    .jpeg({ quality: 87 + (seed % 6), chromaSubsampling: '4:2:0' })
    .toBuffer();
}

async function make(seed: number, path: string): Promise<void> {
  const bytes = await encode(seed);
  await writeFile(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
}

/** @returns the forty photographs, the same on every machine; the first call takes a minute */
export async function photographs(say: (text: string) => void): Promise<Photograph[]> {
  await mkdir(FOLDER, { recursive: true });
  const there = new Set(await readdir(FOLDER));
  const names = Array.from({ length: COUNT }, (_, index) => `photograph-${String(index + 1).padStart(2, '0')}.jpg`);
  if (!names.every((name) => there.has(name))) say(`Making ${COUNT} photographs of 12 megapixels, once …`);
  const all: Photograph[] = [];
  for (const [index, name] of names.entries()) {
    const path = join(FOLDER, name);
    if (!there.has(name)) await make(index + 1, path);
    const bytes = await readFile(path);
    const varied = (number: number) => inserted(bytes, SOI_BYTES, jpegComment(number));
    all.push({ name, type: 'image/jpeg', path, bytes, varied });
  }
  return all;
}
