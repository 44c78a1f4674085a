export type Range = [from: number, to: number];

/** The parts of a range outside the other ranges, which are sorted by start. */
export function without([from, to]: Range, others: readonly Range[]): Range[] {
  const left: Range[] = [];
  let at = from;
  for (const [start, end] of others) {
    if (start >= to) break;
    if (start > at) left.push([at, start]);
    at = Math.max(at, end);
  }
  if (at < to) left.push([at, to]);
  return left;
}
