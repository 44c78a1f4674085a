/** Converts reduced pixels to sRGB as browsers do. HDR is tone-mapped to the range of a usual screen. */
import { type Colour, isHdr, type Primaries, SRGB } from '../core/colour.ts';

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

/** Bradford's cone responses, for the adaptation to another white (ICC.1:2022, annex E). */
const CONES: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
/** Luminance of diffuse white in cd/m², and of the brightest highlight that is kept (ITU-R BT.2408). */
const WHITE = 203;
const PEAK = 1000 / WHITE;

type Shape = { channels: 3 | 4; colour: Colour; max: number | undefined };

/** @param samples row by row @param max of a sample; by default the largest that fits @returns 8 bits per sample */
export function toSrgb(samples: Uint8Array | Uint16Array, { channels, colour, max: given }: Shape): Buffer {
  const max = given ?? (samples instanceof Uint16Array ? 65_535 : 255);
  const linear = decoded(colour, max);
  const matrix = product(inverse(toXyz(SRGB)), adapted(colour.primaries));
  const adjust = isHdr(colour) ? toneMapping(colour) : (light: Vector) => light;
  const result = Buffer.allocUnsafe(samples.length);
  const lightOf = (at: number) => linear[samples[at] ?? 0] ?? 0;
  for (let at = 0; at < samples.length; at += channels) {
    const [red, green, blue] = applied(matrix, adjust([lightOf(at), lightOf(at + 1), lightOf(at + 2)]));
    result[at] = encoded(red);
    result[at + 1] = encoded(green);
    result[at + 2] = encoded(blue);
    if (channels === 4) result[at + 3] = Math.round(((samples[at + 3] ?? 0) * 255) / max);
  }
  return result;
}

function toneMapping({ primaries, transfer }: Colour): (light: Vector) => Vector {
  const [, luminance] = toXyz(primaries);
  return (light) => {
    // HLG is relative to the scene. The exponent is the system gamma of a screen of 1000 cd/m² (BT.2100, table 5).
    const shown = transfer === 'hlg' ? dot(luminance, light) ** 0.2 * PEAK : 1;
    const by = shown * gainFor((shown * (Math.max(...light) + dot(luminance, light))) / 2);
    return [light[0] * by, light[1] * by, light[2] * by];
  };
}

/**
 * Chromium's curve for a usual screen: half of the light up to diffuse white, then a parabola to the peak. The middle one of
 * its three points has 35 % of the first and 65 % of where the first's slope reaches full light.
 */
function gainFor(light: number): number {
  if (light <= 1) return 0.5;
  if (light >= PEAK) return 1 / PEAK;
  const [curve, slope] = [PEAK - 2.3, 1.3];
  const t = (Math.sqrt(slope ** 2 + 4 * curve * (light - 1)) - slope) / (2 * curve);
  return (0.5 + 0.65 * t - 0.15 * t ** 2) / light;
}

/** Linear light for each sample; 1 is white, and HDR has more. */
function decoded({ transfer }: Colour, max: number): Float32Array {
  return Float32Array.from({ length: max + 1 }, (_, sample) => {
    const value = sample / max;
    if (transfer === 'srgb') return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    if (transfer === 'pq') return (10_000 / WHITE) * perceptual(value);
    if (transfer === 'hlg') return hybrid(value);
    return value ** transfer.gamma;
  });
}

/** SMPTE ST 2084; 1 is 10,000 cd/m². */
function perceptual(value: number): number {
  const power = value ** (1 / 78.84375);
  return (Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125);
}

/** ITU-R BT.2100, table 5: light of the scene. */
const hybrid = (value: number) =>
  value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;

const LEVELS = Uint8Array.from({ length: 65_536 }, (_, level) => {
  const light = level / 65_535;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

/** Light from 0 to 1 as an sRGB sample. */
export const encoded = (light: number) => LEVELS[Math.round(Math.min(Math.max(light, 0), 1) * 65_535)] ?? 0;

/** Linear RGB to XYZ: each primary as bright as their sum requires to be white. */
function toXyz({ white, red, green, blue }: Primaries): Matrix {
  const columns = transposed([xyz(red), xyz(green), xyz(blue)]);
  return scaled(columns, applied(inverse(columns), xyz(white)));
}

/** As `toXyz`, with the white of sRGB. */
function adapted(primaries: Primaries): Matrix {
  const [from, to] = [primaries, SRGB].map(({ white }) => applied(CONES, xyz(white))) as [Vector, Vector];
  const ratios: Vector = [to[0] / from[0], to[1] / from[1], to[2] / from[2]];
  return product(scaled(inverse(CONES), ratios), product(CONES, toXyz(primaries)));
}

const xyz = ([x, y]: readonly [number, number]): Vector => [x / y, 1, (1 - x - y) / y];

const dot = (one: Vector, other: Vector) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

const cross = (one: Vector, other: Vector): Vector => [
  one[1] * other[2] - one[2] * other[1],
  one[2] * other[0] - one[0] * other[2],
  one[0] * other[1] - one[1] * other[0],
];

const applied = ([a, b, c]: Matrix, vector: Vector): Vector => [dot(a, vector), dot(b, vector), dot(c, vector)];

const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

function product(one: Matrix, other: Matrix): Matrix {
  const [a, b, c] = transposed(other);
  return transposed([applied(one, a), applied(one, b), applied(one, c)]);
}

/** Multiplies the columns. */
const scaled = ([a, b, c]: Matrix, by: Vector): Matrix => {
  const row = (values: Vector): Vector => [values[0] * by[0], values[1] * by[1], values[2] * by[2]];
  return [row(a), row(b), row(c)];
};

function inverse([a, b, c]: Matrix): Matrix {
  const part = 1 / dot(a, cross(b, c));
  return scaled(transposed([cross(b, c), cross(c, a), cross(a, b)]), [part, part, part]);
}
