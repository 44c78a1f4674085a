/** Numbers by which things are ordered by hand: whole, far apart, and still exact in JavaScript. */

/** With a hundred thousand of them, the last is far below 2^52; between two there is room for 32 halvings. */
export const GAP = 2 ** 32;

const FARTHEST = 2 ** 52;

/**
 * @param low the number before, `high` the one behind; undefined where there is none
 * @returns `count` numbers between them, the least first; undefined where there is no room, and all have to be numbered anew
 */
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
