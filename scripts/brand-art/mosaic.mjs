import { randomFrom } from './noise.mjs';

const largest = 160;
const smallest = 5;

/** @returns a block's mean colour and the deviation of its brightness */
function measure({ data, width, height }, x, y, size) {
  const step = Math.max(1, size >> 4);
  const sum = [0, 0, 0];
  let [count, light, squares] = [0, 0, 0];
  for (let j = y; j < Math.min(height, y + size); j += step)
    for (let i = x; i < Math.min(width, x + size); i += step) {
      const at = (j * width + i) * 3;
      for (let c = 0; c < 3; c++) sum[c] += data[at + c];
      const brightness = 0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2];
      light += brightness;
      squares += brightness * brightness;
      count++;
    }
  return { colour: sum.map((s) => s / count), spread: Math.sqrt(Math.max(0, squares / count - (light / count) ** 2)) };
}

/** Draws a flat block with lit and shaded edges over the picture, with opacity `alpha`. */
function lay({ data, width, height }, x, y, size, colour, alpha, tone) {
  for (let j = y; j < Math.min(height, y + size); j++)
    for (let i = x; i < Math.min(width, x + size); i++) {
      let factor = tone;
      if (size > 14) {
        if (i === x || j === y) factor *= 1.1;
        else if (i === x + size - 1 || j === y + size - 1) factor *= 0.88;
      }
      const at = (j * width + i) * 3;
      for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, colour[c] * factor) * alpha + data[at + c] * (1 - alpha);
    }
}

/** Replaces parts of `picture.data` (raw RGB) by flat blocks: none where `coarse(x, y)` is 0, larger ones towards 1. */
export function resolveFromBlocks(picture, coarse, seed) {
  const source = { ...picture, data: Buffer.from(picture.data) };
  const random = randomFrom(seed);
  function block(x, y, size) {
    if (x >= picture.width || y >= picture.height) return;
    const t = coarse(x + size / 2, y + size / 2);
    const { colour, spread } = measure(source, x, y, size);
    const least = t < 0.015 ? 0 : smallest * (largest / smallest) ** t;
    const wanted = least * (0.62 + 0.9 * random()) * (spread > 30 ? 0.62 : spread < 8 ? 1.35 : 1);
    if (size > wanted && size > smallest && size % 2 === 0) {
      const half = size / 2;
      block(x, y, half);
      block(x + half, y, half);
      block(x, y + half, half);
      block(x + half, y + half, half);
    } else if (least > 0) {
      lay(picture, x, y, size, colour, Math.min(1, t / 0.1), 1 + (random() - 0.5) * 0.12);
    }
  }
  for (let y = 0; y < picture.height; y += largest)
    for (let x = 0; x < picture.width; x += largest) block(x, y, largest);
}
