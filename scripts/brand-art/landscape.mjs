import { fractal, noiseFrom } from './noise.mjs';

const clamp = (value) => Math.min(1, Math.max(0, value));
const smooth = (from, to, value) => {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};
const mix = (a, b, t) => a.map((value, i) => value + (b[i] - value) * t);

/** @returns the colour at `t` (0 to 1) of a ramp with equal steps */
function ramp(colours, t) {
  const place = clamp(t) * (colours.length - 1);
  const i = Math.min(colours.length - 2, Math.floor(place));
  return mix(colours[i], colours[i + 1], place - i);
}

const sky = [
  [24, 108, 138],
  [42, 158, 182],
  [112, 203, 206],
  [232, 222, 186],
];
const lit = [
  [44, 16, 30],
  [110, 38, 36],
  [190, 74, 26],
  [240, 130, 44],
  [255, 188, 108],
];
const dusk = [
  [24, 12, 24],
  [52, 24, 46],
  [96, 46, 74],
  [152, 78, 92],
  [206, 128, 112],
];
const shade = [
  [14, 8, 16],
  [34, 16, 34],
  [66, 32, 56],
  [108, 54, 76],
  [156, 92, 104],
];

/** Sandstone: folds with fine strata, lit from the upper right. Brightness from 0 to 1. */
function sandstone(seed, { scale, turn, fold }) {
  const noise = noiseFrom(seed);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const height = (x, y) => {
    const u = (x * cos + y * sin) * scale;
    const v = (y * cos - x * sin) * scale;
    const sweep = fractal(noise, u * 0.55 + 3, v * 0.8, 3);
    const swirl = fractal(noise, u * 0.4 + sweep * 1.1, v * 1.3 + sweep * 1.7, 2);
    const along = v * 2.1 + sweep * 3.2 + swirl * 1.5;
    return { form: Math.sin(along * fold) * 0.5 + swirl * 0.9, along };
  };
  return (x, y) => {
    const e = 0.003;
    const here = height(x, y);
    const dx = (height(x + e, y).form - here.form) / e;
    const dy = (height(x, y + e).form - here.form) / e;
    const facing = (0.62 * dx - 0.7 * dy + 4.2) / Math.hypot(dx, dy, 4.6);
    const strata = noise(here.along * 9, here.form * 2) * 0.1 + noise(here.along * 31, 5) * 0.075;
    return clamp(facing * 0.58 + 0.1 + strata);
  };
}

/** Layers from back to front: shape, rock, colours and light. `x` and `y` from 0 to 1. */
function layers(seed) {
  const noise = noiseFrom(seed);
  const wave = (x, f, k) => fractal(noise, x * f + k, k * 1.7, 4);
  return [
    {
      inside: (x, y) => y - (0.43 - 0.1 * smooth(0.35, 0.95, x) + wave(x, 2.2, 3) * 0.07),
      rock: sandstone(seed + 1, { scale: 3.1, turn: 0.25, fold: 1.5 }),
      colours: lit,
      light: (b, x, y) => b * 1.15 - 0.02 - (y - 0.45) * 0.3 + 0.1 * x,
    },
    {
      inside: (x, y) => y - (0.45 + 0.34 * Math.abs(x - 0.1) ** 0.8 + wave(x, 2.6, 11) * 0.06),
      rock: sandstone(seed + 2, { scale: 2.6, turn: -0.5, fold: 1.7 }),
      colours: lit,
      light: (b, x, y) => b * 1.1 + 0.02 - (y - 0.5) * 0.6 - 0.25 * x,
    },
    {
      inside: (x, y) => y - (0.5 + crest(x - 0.44) + wave(x, 3.4, 23) * 0.05),
      rock: sandstone(seed + 3, { scale: 2.3, turn: 1.05, fold: 1.6 }),
      colours: dusk,
      light: (b, x, y) => b * 0.98 + 0.02 - (y - 0.5) * 0.3 + 0.25 * smooth(0.42, 0.75, x),
    },
    {
      inside: (x, y) => arch(x, y, noise),
      rock: sandstone(seed + 4, { scale: 2.5, turn: -0.32, fold: 1.9 }),
      colours: shade,
      light: (b, x, y) => b * 0.9 - 0.1 + 0.5 * smooth(0.2, 0, arch(x, y, noise)) * smooth(0.02, 0.3, y),
    },
  ];
}

/** The ridge of a dune below its top: steep on the left, long on the right. */
function crest(x) {
  return x < 0 ? 0.55 * (-x) ** 0.85 : 0.62 * x ** 1.15;
}

/** The rock that frames the view: positive inside. */
function arch(x, y, noise) {
  const bend = fractal(noise, x * 2.1 + 40, y * 2.1, 3) * 0.09;
  const dx = (x - 0.56) / 0.66;
  const dy = (y - 0.72) / 0.56;
  return Math.hypot(dx, dy) - 0.93 + bend + 0.22 * (x - 0.5) * (y - 0.4);
}

function skyAt(x, y, noise) {
  const glow = Math.exp(-(((x - 0.66) / 0.3) ** 2) - ((y - 0.4) / 0.16) ** 2);
  const haze = fractal(noise, x * 2.5, y * 9, 4) * 0.08;
  const colour = ramp(sky, smooth(0.1, 0.52, y) * 0.72 + glow * 0.35 + haze);
  const sun = smooth(0.036, 0.032, Math.hypot(x - 0.66, y - 0.325));
  const ring = Math.exp(-Math.hypot(x - 0.66, y - 0.325) * 9) * 0.55;
  return mix(mix(colour, [255, 232, 178], clamp(ring)), [255, 247, 222], sun);
}

/** Draws a canyon in front of the sun. @returns raw RGB */
export function landscape(width, height, seed) {
  const noise = noiseFrom(seed + 9);
  const parts = layers(seed);
  const data = Buffer.alloc(width * height * 3);
  const edge = 1.2 / height;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const x = column / width;
      const y = row / height;
      let colour = skyAt(x, y, noise);
      for (const { inside, rock, colours, light } of parts) {
        const depth = inside(x, y);
        if (depth < -edge) continue;
        const shadow = 0.16 * Math.exp(-Math.max(0, depth) * 60);
        colour = mix(colour, ramp(colours, light(rock(x, y), x, y) + shadow), smooth(-edge, edge, depth));
      }
      for (let c = 0; c < 3; c++) data[(row * width + column) * 3 + c] = Math.round(clamp(colour[c] / 255) * 255);
    }
  return { data, width, height };
}
