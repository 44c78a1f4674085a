/** Sort positions for manual ordering: integers far apart, exact in JavaScript. */

/** With a hundred thousand items the last is far below 2^52; between two there is room for 32 halvings. */
export const GAP = 2 ** 32;

const FARTHEST = 2 ** 52;

/** @param low the position before; undefined at an end @returns `count` ascending positions; undefined if there is no room */
export function positionsBetween(
  low: number | undefined,
  high: number | undefined,
  count: number,
): number[] | undefined {
  const step = low === undefined || high === undefined ? GAP : Math.floor((high - low) / (count + 1));
  const first = low === undefined && high !== undefined ? high - GAP * count : (low ?? 0) + step;
  const last = first + step * (count - 1);
  if (step < 1 || first < -FARTHEST || last > FARTHEST) return undefined;
  return Array.from({ length: count }, (_, index) => first + step * index);
}
