/** `node scripts/make-icons.mjs`: draws the app's icons from client/public/mark.svg into client/public/icons. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

const folder = path.resolve(import.meta.dirname, '../client/public');
const mark = await readFile(path.join(folder, 'mark.svg'));
const paper = '#fbfaf9';
const clear = { r: 0, g: 0, b: 0, alpha: 0 };

/** `part`: the mark's share of the side. A system may crop a maskable icon to a circle of four fifths of its side. */
const icons = [
  { name: 'icon-192.png', size: 192, part: 1, background: clear },
  { name: 'icon-512.png', size: 512, part: 1, background: clear },
  { name: 'maskable-192.png', size: 192, part: 0.54, background: paper },
  { name: 'maskable-512.png', size: 512, part: 0.54, background: paper },
  { name: 'apple-touch-icon.png', size: 180, part: 0.7, background: paper },
];

await mkdir(path.join(folder, 'icons'), { recursive: true });
for (const { name, size, part, background } of icons) {
  const side = Math.round(size * part);
  const drawn = await sharp(mark, { density: (72 * side) / 24 })
    .resize(side, side)
    .toBuffer();
  const canvas = sharp({ create: { width: size, height: size, channels: 4, background } }).composite([
    { input: drawn },
  ]);
  const opaque = background === paper ? canvas.removeAlpha() : canvas;
  const { size: bytes } = await opaque
    .png({ compressionLevel: 9, palette: true })
    .toFile(path.join(folder, 'icons', name));
  console.log(`icons/${name}: ${bytes} bytes`);
}
