/** Draws seeded landscapes: ridges in haze, a sea at dusk, dunes, a starry night. */
import { fractal, noiseFrom } from '../brand-art/noise.mjs';

const clamp = (value) => Math.min(1, Math.max(0, value));
const smooth = (from, to, value) => {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};
const mix = (a, b, t) => a.map((value, i) => value + (b[i] - value) * t);

function ramp(colours, t) {
  const place = clamp(t) * (colours.length - 1);
  const i = Math.min(colours.length - 2, Math.floor(place));
  return mix(colours[i], colours[i + 1], place - i);
}

const hex = (text) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));

/** @returns the sky's colour at a point, with a sun or moon and, at night, stars */
function skyOf({ sky, sun, stars }, noise, ratio) {
  const colours = sky.map(hex);
  return (x, y) => {
    const cloud = fractal(noise, x * 2.2 * ratio, y * 8, 4) * 0.14;
    let colour = ramp(colours, y * 1.35 + cloud);
    if (stars) {
      const twinkle = noise(x * 260 * ratio, y * 260);
      colour = mix(colour, [255, 250, 235], smooth(0.74, 0.9, twinkle) * smooth(0.75, 0.2, y));
    }
    if (!sun) return colour;
    const away = Math.hypot((x - sun.x) * ratio, y - sun.y);
    colour = mix(colour, hex(sun.colour), clamp(Math.exp(-away * 5) * 0.7));
    return mix(colour, hex(sun.colour), smooth(sun.size + 0.006, sun.size, away));
  };
}

/** Ridges from far, in haze, to near, in their own colour. */
function ridges({ near, far, count, from, rough = 0.2, trees = 0 }, seed, ratio) {
  const noise = noiseFrom(seed + 5);
  const [front, back] = [hex(near), hex(far)];
  return Array.from({ length: count }, (_, index) => {
    const depth = index / Math.max(1, count - 1);
    const base = from + (1.02 - from) * depth ** 1.25 * 0.86;
    const spread = rough * (1 - depth * 0.45);
    const line = (x) => {
      const u = x * ratio * (1.1 + depth * 1.6) + index * 17;
      const needles = trees * depth * Math.abs(noise(u * 55, index * 3)) * 0.12;
      return base - fractal(noise, u, index * 9.3, 5) * spread - needles;
    };
    const colour = mix(back, front, depth);
    return { line, colour, haze: 0.35 * (1 - depth) };
  });
}

const water = (sky, noise, ratio, horizon, tint) => (x, y) => {
  const depth = (y - horizon) / (1 - horizon);
  const ripple = noise((x * ratio * 9) / (0.08 + depth), (y * 120) / (0.25 + depth)) * (0.02 + depth * 0.05);
  const mirrored = sky(x + ripple * 0.6, Math.max(0, horizon - (y - horizon) * 0.85 + ripple));
  return mix(mirrored, hex(tint), 0.28 + depth * 0.4);
};

/** @returns a scene in raw RGB, `width` x `height` */
export function paint(scene, width, height, seed) {
  const ratio = width / height;
  const noise = noiseFrom(seed);
  const sky = skyOf(scene, noise, ratio);
  const layers = scene.ridges ? ridges(scene.ridges, seed, ratio) : [];
  const sea = scene.sea ? water(sky, noise, ratio, scene.sea.horizon, scene.sea.tint) : undefined;
  const data = Buffer.alloc(width * height * 3);
  const edge = 1.5 / height;
  for (let column = 0; column < width; column++) {
    const x = column / width;
    const lines = layers.map(({ line }) => line(x));
    for (let row = 0; row < height; row++) {
      const y = row / height;
      let colour = sky(x, y);
      layers.forEach((layer, index) => {
        const inside = smooth(-edge, edge, y - lines[index]);
        if (inside === 0) return;
        const grain = fractal(noise, x * 14 * ratio, y * 22 + index * 7, 3) * 0.16;
        const fog = layer.haze * smooth(0.02, 0.3, y - lines[index]);
        const lit = mix(layer.colour, [255, 255, 255], clamp(grain * 0.5));
        colour = mix(colour, mix(lit, sky(x, 0.7), fog), inside);
      });
      if (sea && y > scene.sea.horizon) colour = sea(x, y);
      for (let c = 0; c < 3; c++) data[(row * width + column) * 3 + c] = Math.round(clamp(colour[c] / 255) * 255);
    }
  }
  return { data, width, height };
}
