/** CIE 1931 x and y. */
type Point = readonly [number, number];
export type Primaries = { white: Point; red: Point; green: Point; blue: Point };

/** `gamma` is the exponent that decodes a sample. */
export type Transfer = 'srgb' | 'pq' | 'hlg' | { gamma: number };

/** How the samples of a picture are coded, where that is not sRGB. */
export type Colour = { primaries: Primaries; transfer: Transfer };

const D65: Point = [0.3127, 0.329];
const C: Point = [0.31, 0.316];
export const SRGB: Primaries = { white: D65, red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06] };
const SMPTE_170M: Primaries = { white: D65, red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07] };
const P3: Primaries = { white: D65, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] };

/** Code points of ITU-T H.273, table 2. */
const PRIMARIES: Record<number, Primaries> = {
  1: SRGB,
  4: { white: C, red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08] },
  5: { white: D65, red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06] },
  6: SMPTE_170M,
  7: SMPTE_170M,
  8: { white: C, red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049] },
  9: { white: D65, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] },
  11: { ...P3, white: [0.314, 0.351] },
  12: P3,
  22: { white: D65, red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077] },
};

/** Table 3. The curves of television cameras are missing: 1, 6, 14 and 15. */
const TRANSFERS: Record<number, Transfer> = {
  4: { gamma: 2.2 },
  5: { gamma: 2.8 },
  8: { gamma: 1 },
  16: 'pq',
  18: 'hlg',
};
const TELEVISION = new Set([1, 6, 14, 15]);

/** Undefined for sRGB. Unknown code points count as sRGB's. @param television what browsers take for a camera's curve */
export const colourOfCodes = (primaries: number, transfer: number, television: Transfer) =>
  colourOf(PRIMARIES[primaries], TELEVISION.has(transfer) ? television : TRANSFERS[transfer]);

/** Undefined for sRGB, or for what differs too little to be seen. */
export function colourOf(primaries: Primaries = SRGB, transfer: Transfer = 'srgb'): Colour | undefined {
  // The simple curve of 2.2 stands for sRGB's; libpng ignores a difference of 5 % too.
  const isPlain = typeof transfer === 'object' ? Math.abs(transfer.gamma / 2.2 - 1) < 0.05 : transfer === 'srgb';
  return isPlain && isSrgb(primaries) ? undefined : { primaries, transfer };
}

const isSrgb = (primaries: Primaries) =>
  (['white', 'red', 'green', 'blue'] as const).every((name) =>
    primaries[name].every((value, axis) => Math.abs(value - (SRGB[name][axis] ?? 0)) < 0.002),
  );

export const isHdr = ({ transfer }: Colour) => transfer === 'pq' || transfer === 'hlg';
