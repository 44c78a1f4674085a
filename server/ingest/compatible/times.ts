/** When an image expires, as programs for Zipline and Chevereto write it. */
import { InvalidRequest } from '../../errors.ts';
import { durationOf, IMAGE_LIFETIME } from '../../lib/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of the package `ms`, with which Zipline reads times: https://zipline.diced.sh/docs/guides/ms */
const UNITS = new Map(
  (
    [
      ['ms msec msecs millisecond milliseconds', 1],
      ['s sec secs second seconds', SECOND],
      ['m min mins minute minutes', MINUTE],
      ['h hr hrs hour hours', HOUR],
      ['d day days', DAY],
      ['w week weeks', 7 * DAY],
      ['y yr yrs year years', 365 * DAY],
    ] as const
  ).flatMap(([names, ms]) => names.split(' ').map((name) => [name, ms] as const)),
);

/** @returns milliseconds; undefined if the text is no time */
function relativeTime(text: string): number | undefined {
  const [, count, unit = 'ms'] = /^(\d{0,15}\.?\d{1,15}) {0,9}([a-z]+)?$/i.exec(text) ?? [];
  const ms = UNITS.get(unit.toLowerCase());
  return count === undefined || ms === undefined ? undefined : Number(count) * ms;
}

/** An ISO 8601 duration, for example P1D or PT5M, or seconds. A month has 30 days. @returns milliseconds; undefined if the text is none */
function isoDuration(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text) * SECOND;
  const form = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;
  const [, ...counts] = form.exec(text) ?? [];
  const units = [365 * DAY, 30 * DAY, 7 * DAY, DAY, HOUR, MINUTE, SECOND];
  const some = units.flatMap((ms, at) => (counts[at] === undefined ? [] : [Number(counts[at]) * ms]));
  return some.length === 0 ? undefined : some.reduce((sum, ms) => sum + ms);
}

/** Times below five minutes count as five minutes, as in Chevereto. @throws InvalidRequest for none, a past one, or one beyond the bounds */
function lifetimeWithin(name: string, ms: number | undefined, example: string): number {
  if (ms !== undefined && ms > 0 && ms <= IMAGE_LIFETIME.most) return Math.max(ms, IMAGE_LIFETIME.least);
  throw new InvalidRequest(`"${name}" needs a time in the future, at most 5 years from now, for example ${example}.`);
}

/** `x-zipline-deletes-at`: a time from now, a date, or `never`. @returns milliseconds from now; undefined for ever @throws InvalidRequest */
export function readDeletesAt(text: string): number | undefined {
  if (text === '' || text.toLowerCase() === 'never') return undefined;
  const [, date] = /^date=(.+)$/i.exec(text) ?? [];
  const ms = date === undefined ? relativeTime(text) : Date.parse(date) - Date.now();
  return lifetimeWithin('x-zipline-deletes-at', ms, '1d or date=2030-01-01T00:00:00Z');
}

/** `expiration` of Chevereto. @returns milliseconds from now; undefined for ever @throws InvalidRequest */
export function readExpiration(text: string): number | undefined {
  return text === '' || text === '0' ? undefined : lifetimeWithin('expiration', isoDuration(text), 'P1D or PT30M');
}

/** The shorter of what the upload requests and what its token allows. @returns milliseconds; undefined for ever */
export function shorterLifetime(requested: number | undefined, allowed: string | null): number | undefined {
  const most = allowed === null ? undefined : durationOf(allowed);
  if (requested === undefined || most === undefined) return requested ?? most;
  return Math.min(requested, most);
}
