/**
 * Pixels whose samples sharp does not show as browsers do: inks without a profile, and in TIFFs float, signed and 32-bit
 * samples.
 */
import type { Sharp } from '../core/loaders.ts';
import type { Pixels } from '../core/pixels.ts';
import type { Samples } from './inspect.ts';
import { encoded } from './to-srgb.ts';

export const isOdd = ({ depth, space, hasProfile }: Samples) =>
  MOST[depth] === undefined || (space === 'cmyk' && !hasProfile);

/** The greatest sample of the usual types. */
const MOST: Record<string, number> = { uchar: 255, ushort: 65_535 };

/** Factor and offset that bring 16-bit grey into the range of ushort, to which sharp cuts it. */
const RANGES: Record<string, [factor: number, offset: number]> = { short: [1, 32_768], float: [MOST.ushort ?? 0, 0] };

/** Whether libvips shows them as they are: it inverts only unsigned samples. */
const isNegative = ({ depth, whiteIsZero }: Samples) => whiteIsZero && depth !== 'uint';

/** How far a reduction may exceed the range of the samples. */
const OVERSHOOT = 0.1;

/**
 * Maps the samples to 8 bits. Float from 0 to 1 keeps its values: linear light if it has colours, as libvips reads it.
 * Everything but the usual types is stretched, from the least value to the greatest. Inks without a profile cover each other.
 */
export async function readLevels(image: Sharp, samples: Samples): Promise<Pixels> {
  const { depth, space } = samples;
  const [factor, offset] = (space === 'grey16' && RANGES[depth]) || [1, 0];
  if (factor !== 1 || offset !== 0) image.linear(factor, offset);
  // Without both, sharp cuts the samples off at 0 and 255.
  const output = image.pipelineColourspace(space).toColourspace(space).raw({ depth: 'float' });
  const { data, info } = await output.toBuffer({ resolveWithObject: true });
  const values = new Float32Array(data.buffer, data.byteOffset, data.length / 4).map((value) => value / factor);
  const inks = COLOURS[space] ?? 1;
  const alpha = info.channels > inks;
  const { least, most } = rangeOf(values, info.channels, inks);
  const isUnit = (depth === 'float' || depth === 'double') && least >= -OVERSHOOT && most <= 1 + OVERSHOOT;
  const full = isUnit ? 1 : MOST[depth];
  const [from, length] = full === undefined ? [least, most - least || 1] : [0, full];
  const plain = (light: number) => Math.round(255 * Math.min(1, Math.max(0, light)));
  const level = isUnit && space === 'scrgb' ? encoded : plain;
  const channels = alpha ? 4 : 3;
  const result = Buffer.alloc(info.width * info.height * channels, 255);
  for (let pixel = 0; pixel < info.width * info.height; pixel += 1) {
    const sampleOf = (ink: number) => ((values[pixel * info.channels + ink] ?? 0) - from) / length;
    for (let colour = 0; colour < 3; colour += 1) {
      const light = space === 'cmyk' ? (1 - sampleOf(colour)) * (1 - sampleOf(3)) : sampleOf(inks === 1 ? 0 : colour);
      result[pixel * channels + colour] = level(inks === 1 && isNegative(samples) ? 1 - light : light);
    }
    if (alpha && full !== undefined) result[pixel * channels + 3] = plain(sampleOf(inks));
  }
  return { data: result, width: info.width, height: info.height, channels };
}

/** Channels by sharp's colour space; others have one. */
const COLOURS: Record<string, number> = { srgb: 3, scrgb: 3, rgb16: 3, cmyk: 4 };

function rangeOf(values: Float32Array, channels: number, inks: number): { least: number; most: number } {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  values.forEach((value, index) => {
    if (index % channels >= inks || !Number.isFinite(value)) return;
    least = Math.min(least, value);
    most = Math.max(most, value);
  });
  return { least, most };
}
