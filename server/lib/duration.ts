/** Durations as people write them: `5m`, `12h`, `7d`, `2w`, `5y`. */
import { InvalidRequest } from '../errors.ts';

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

export type Bounds = { least: number; most: number; words: string };

/** Milliseconds. @throws TypeError if a text is no duration */
function boundsOf(least: string, most: string): Bounds {
  const [from, to] = [durationOf(least), durationOf(most)];
  if (from === undefined || to === undefined) throw new TypeError(`${least} to ${most} are no durations`);
  return { least: from, most: to, words: `from ${least} to ${most}` };
}

/** How long an image may exist. */
export const IMAGE_LIFETIME = boundsOf('5m', '5y');
/** How long an invitation may be used. */
export const INVITE_LIFETIME = IMAGE_LIFETIME;
/** How long an API token may exist. */
export const TOKEN_LIFETIME = boundsOf('1h', '5y');

/** @param field for the message @returns milliseconds @throws InvalidRequest for no duration, or one outside the bounds */
export function durationWithin(field: string, text: string, { least, most, words }: Bounds): number {
  const ms = durationOf(text);
  if (ms !== undefined && ms >= least && ms <= most) return ms;
  throw new InvalidRequest(`The field "${field}" needs a duration ${words}, for example 7d.`);
}
