import { startOfDay, type TimeZone } from './time-zone.ts';

export type Orientation = 'portrait' | 'landscape' | 'square';

/** Conditions that must all hold. Ranges include their start and exclude their end. */
export type Filters = {
  contentTypes?: string[];
  /** Bytes. */
  size?: Range;
  /** Milliseconds since 1970. */
  uploaded?: Range;
  orientations?: Orientation[];
  /** Names of albums, in any case. */
  albums?: string[];
  /** Id of the only album that the call reaches. Not an operator. */
  reachableAlbum?: string;
};
type Range = { from?: number; below?: number };

const types: Record<string, string[]> = {
  jpeg: ['image/jpeg'],
  jpg: ['image/jpeg'],
  png: ['image/png'],
  webp: ['image/webp'],
  gif: ['image/gif'],
  avif: ['image/avif'],
  tiff: ['image/tiff'],
  tif: ['image/tiff'],
  svg: ['image/svg+xml'],
  heic: ['image/heic'],
  heif: ['image/heic'],
};

const units: Record<string, number> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

function readSize(value: string): Filters | undefined {
  const { sign, number, unit } =
    /^(?<sign>[<>]=?)(?<number>\d{1,15}(?:\.\d{1,9})?)(?<unit>[a-z]*)$/i.exec(value)?.groups ?? {};
  const factor = units[unit?.toLowerCase() ?? '?'];
  if (factor === undefined || number === undefined) return undefined;
  const bytes = Math.min(Number((Number(number) * factor).toFixed(6)), Number.MAX_SAFE_INTEGER - 1);
  if (sign === '>') return { size: { from: Math.floor(bytes) + 1 } };
  if (sign === '>=') return { size: { from: Math.ceil(bytes) } };
  return { size: { below: sign === '<' ? Math.ceil(bytes) : Math.floor(bytes) + 1 } };
}

/** The period of `2026`, `2026-05` or `2026-05-01` in a time zone. */
function readPeriod(value: string, zone: TimeZone): Required<Range> | undefined {
  const { year, month, day } = /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?$/.exec(value)?.groups ?? {};
  if (year === undefined) return undefined;
  const first = new Date(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00.000Z`);
  // Rejects dates such as 30 February.
  if (Number.isNaN(first.getTime()) || !first.toISOString().startsWith(value)) return undefined;
  const next = new Date(first);
  if (day !== undefined) next.setUTCDate(next.getUTCDate() + 1);
  else if (month !== undefined) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  return { from: startOfDay(first.getTime(), zone), below: startOfDay(next.getTime(), zone) };
}

function readDate(operator: 'before' | 'after' | 'on', value: string, zone: TimeZone): Filters | undefined {
  const period = readPeriod(value, zone);
  if (period === undefined) return undefined;
  if (operator === 'before') return { uploaded: { below: period.from } };
  return { uploaded: operator === 'after' ? { from: period.below } : period };
}

const readers = new Map<string, (value: string, zone: TimeZone) => Filters | undefined>([
  [
    'type',
    (value) =>
      Object.hasOwn(types, value.toLowerCase()) ? { contentTypes: types[value.toLowerCase()] ?? [] } : undefined,
  ],
  ['size', readSize],
  ['before', (value, zone) => readDate('before', value, zone)],
  ['after', (value, zone) => readDate('after', value, zone)],
  ['on', (value, zone) => readDate('on', value, zone)],
  ['album', (value) => (value.trim() === '' || /^["“”„]/.test(value) ? undefined : { albums: [value.trim()] })],
  ['orientation', (value) => readOrientation(value.toLowerCase())],
]);

function readOrientation(value: string): Filters | undefined {
  return value === 'portrait' || value === 'landscape' || value === 'square' ? { orientations: [value] } : undefined;
}

/** @param operator in lower case @param zone of the dates @returns undefined for an unknown operator */
export function readOperator(operator: string, value: string, zone: TimeZone): Filters | 'invalid' | undefined {
  const read = readers.get(operator);
  return read && (read(value, zone) ?? 'invalid');
}

const both = (one: Range = {}, other: Range = {}): Range => {
  const from = [one.from, other.from].filter((each) => each !== undefined);
  const below = [one.below, other.below].filter((each) => each !== undefined);
  return {
    ...(from.length > 0 ? { from: Math.max(...from) } : {}),
    ...(below.length > 0 ? { below: Math.min(...below) } : {}),
  };
};

const joined = <T>(one: T[] = [], other: T[] = []): T[] => [...new Set([...one, ...other])];

/** Combines filters, so that any number of operators yields one condition of each kind. */
export function narrow(one: Filters, other: Filters): Filters {
  const types = [one.contentTypes, other.contentTypes].filter((each) => each !== undefined);
  const [first, second] = types;
  return {
    ...(first ? { contentTypes: second ? first.filter((type) => second.includes(type)) : first } : {}),
    ...(one.size || other.size ? { size: both(one.size, other.size) } : {}),
    ...(one.uploaded || other.uploaded ? { uploaded: both(one.uploaded, other.uploaded) } : {}),
    ...(one.orientations || other.orientations ? { orientations: joined(one.orientations, other.orientations) } : {}),
    ...(one.albums || other.albums ? { albums: joined(one.albums, other.albums) } : {}),
  };
}
