import { InvalidRequest } from '../errors.ts';

/** @returns ms that clocks of the zone are ahead of UTC at a moment, ms since 1970 */
export type TimeZone = (moment: number) => number;

export const utc: TimeZone = () => 0;

/** A formatter takes time to create, and tens of kilobytes. */
const known = new Map<string, TimeZone>([['UTC', utc]]);
const maxKnown = 100;

/** @param name of the IANA database, such as `Asia/Tokyo`; UTC by default @throws InvalidRequest */
export function readTimeZone(name: unknown): TimeZone {
  if (name === undefined) return utc;
  const zone = typeof name === 'string' && name.length <= 64 ? (known.get(name) ?? create(name)) : undefined;
  if (!zone) throw new InvalidRequest('The time zone must be a name such as Europe/Berlin.');
  if (known.size < maxKnown) known.set(String(name), zone);
  return zone;
}

function create(timeZone: string): TimeZone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    return undefined;
  }
  return (moment) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day, hour, minute, second } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
  };
}

const day = 86_400_000;

/**
 * The first moment of a day in a zone, in which midnight may not exist or exist twice.
 * @param midnight as if the zone were UTC, ms since 1970
 */
export function startOfDay(midnight: number, zone: TimeZone): number {
  const candidates = [zone(midnight - day), zone(midnight + day)].map((ahead) => midnight - ahead);
  const inDay = candidates.filter((moment) => moment + zone(moment) >= midnight);
  return Math.min(...(inDay.length > 0 ? inDay : candidates));
}
