/** Durations as people write them: `5m`, `12h`, `7d`, `2w`, `5y`. */

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

const FORM = /^([1-9]\d{0,6})([mhdwy])$/;

/** @returns milliseconds; undefined if the text is no duration */
export function durationOf(text: string): number | undefined {
  const [, count, unit = ''] = FORM.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}
