import t from 'tap';
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import type { Pixels } from '../core/pixels.ts';
import { toPlaceholder } from './placeholder.ts';

type Colour = [red: number, green: number, blue: number, alpha: number];

function picture(width: number, height: number, channels: 3 | 4, at: (x: number, y: number) => Colour): Pixels {
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data.set(at(x, y).slice(0, channels), (y * width + x) * channels);
  }
  return { data, width, height, channels };
}

const hashOf = (pixels: Pixels) => Buffer.from(toPlaceholder(pixels), 'base64');

for (const [width, height] of [
  [480, 360],
  [360, 480],
  [1, 1],
  [2, 480],
  [480, 1],
  [49, 47],
] as const) {
  t.test(`the placeholder of ${width}x${height} keeps the average colour`, async (t) => {
    const { r, g, b, a } = thumbHashToAverageRGBA(hashOf(picture(width, height, 3, () => [200, 100, 50, 255])));
    t.ok(Math.abs(r * 255 - 200) < 12 && Math.abs(g * 255 - 100) < 12 && Math.abs(b * 255 - 50) < 12, `${r} ${g} ${b}`);
    t.equal(a, 1);
  });
}

t.test('a placeholder keeps the positions of colours', async (t) => {
  const hash = hashOf(picture(480, 360, 3, (x, y) => [x < 240 ? 255 : 0, y < 180 ? 255 : 0, 0, 255]));
  t.ok(Math.abs(thumbHashToApproximateAspectRatio(hash) - 4 / 3) < 0.2);
  const { w, h, rgba } = thumbHashToRGBA(hash);
  const pixel = (x: number, y: number) => [...rgba.subarray((y * w + x) * 4, (y * w + x) * 4 + 2)];
  const [left, right] = [2, w - 3];
  const [top, bottom] = [2, h - 3];
  const near = (found: number[], wanted: number[]) =>
    found.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 80);
  t.ok(near(pixel(left, top), [255, 255]), String(pixel(left, top)));
  t.ok(near(pixel(right, top), [0, 255]), String(pixel(right, top)));
  t.ok(near(pixel(left, bottom), [255, 0]), String(pixel(left, bottom)));
  t.ok(near(pixel(right, bottom), [0, 0]), String(pixel(right, bottom)));
});

t.test('transparent pixels do not tint the placeholder', async (t) => {
  const { r, g, b, a } = thumbHashToAverageRGBA(
    hashOf(picture(200, 200, 4, (x) => (x < 100 ? [0, 0, 255, 255] : [255, 0, 0, 0]))),
  );
  t.ok(r < 0.2 && g < 0.2 && b > 0.8, `${r} ${g} ${b}`);
  t.ok(a > 0.3 && a < 0.7, `${a}`);
});
