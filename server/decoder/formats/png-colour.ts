import { type Colour, colourOf, colourOfCodes, type Primaries, SRGB } from '../core/colour.ts';

/** The chunks that describe colours, in order of precedence (PNG specification, third edition, 4.3). */
const CHUNKS = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];

export const describesColour = (type: string) => CHUNKS.includes(type);

/** @param chunks the contents by type @returns undefined for sRGB, or if the embedded profile counts */
export function colourOfPng(chunks: ReadonlyMap<string, Buffer>): Colour | undefined {
  const codes = chunks.get('cICP');
  const plain = chunks.has('iCCP') ? { primaries: SRGB, transfer: 'srgb' as const } : undefined;
  // A camera's curve is shown as by a television (ITU-R BT.1886).
  if (codes?.length === 4) return colourOfCodes(codes[0] ?? 0, codes[1] ?? 0, { gamma: 2.4 }) ?? plain;
  if (chunks.has('iCCP') || chunks.has('sRGB')) return undefined;
  const gamma = numbersOf(chunks.get('gAMA'))[0] ?? 0;
  // Without gAMA, Chromium ignores cHRM.
  return gamma > 0 ? colourOf(primariesOf(numbersOf(chunks.get('cHRM'))), { gamma: 1 / gamma }) : undefined;
}

/** In a hundred-thousandth. */
const numbersOf = (chunk: Buffer = Buffer.alloc(0)) =>
  Array.from({ length: Math.floor(chunk.length / 4) }, (_, index) => chunk.readUInt32BE(4 * index) / 100_000);

/** Undefined if they cannot be converted: a white without light, or a triangle without an area. */
function primariesOf(numbers: number[]): Primaries | undefined {
  const [whiteX = 0, whiteY = 0, redX = 0, redY = 0, greenX = 0, greenY = 0, blueX = 0, blueY = 0] = numbers;
  const area = (greenX - redX) * (blueY - redY) - (blueX - redX) * (greenY - redY);
  if (numbers.length !== 8 || whiteY === 0 || redY * greenY * blueY === 0 || Math.abs(area) < 0.001) return undefined;
  return { white: [whiteX, whiteY], red: [redX, redY], green: [greenX, greenY], blue: [blueX, blueY] };
}
