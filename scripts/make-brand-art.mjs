/**
 * Draws the seeded brand art into client/assets: a canyon that resolves out of blocks (login), and a small one without
 * blocks (404 page). `node scripts/make-brand-art.mjs`
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { landscape } from './brand-art/landscape.mjs';
import { resolveFromBlocks } from './brand-art/mosaic.mjs';

const assets = path.resolve(import.meta.dirname, '../client/assets');
const seed = 20;
const size = 1280;
const limit = 65_000;

/** 0 (sharp) at the top to 1 (coarse) at the bottom, a little earlier on the left. */
function coarse(x, y) {
  const t = Math.min(1, Math.max(0, (y / size - 0.3 + 0.22 * (0.5 - x / size)) / 0.62));
  return t * t * (3 - 2 * t);
}

const raw = (picture) => ({ raw: { width: picture.width, height: picture.height, channels: 3 } });

async function save(image, name) {
  const file = path.join(assets, name);
  await image.toFile(file);
  const { size: bytes } = await stat(file);
  console.log(`${name}: ${bytes} bytes`);
  if (bytes > limit) throw new Error(`${name} has ${bytes} bytes, more than ${limit}`);
}

const picture = landscape(size, size, seed);
await save(
  sharp(Buffer.from(picture.data), raw(picture))
    .extract({ left: 0, top: 240, width: size, height: 800 })
    .resize(960, 600)
    .avif({ quality: 50, effort: 6 }),
  'canyon.avif',
);
resolveFromBlocks(picture, coarse, 7);
await save(sharp(picture.data, raw(picture)).avif({ quality: 55, effort: 6 }), 'brand-art.avif');
