import { locale as chosen } from './words.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Cached, because creating a format is far slower than using it, and long lists use it per file. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats bytes in the reader's language with decimal units: `940 kB`, `5.2 MB`. */
export function formatBytes(bytes: number, locale = chosen): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit < 2 || value >= 99.95 ? 0 : 1;
  const key = `${locale}/${unit}/${digits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: UNITS[unit] ?? 'byte',
      unitDisplay: unit === 0 ? 'long' : 'short',
      maximumFractionDigits: digits,
    });
  formats.set(key, format);
  return format.format(value);
}
