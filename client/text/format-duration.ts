/** Durations as the API writes them: `5m`, `12h`, `7d`, `2w`, `5y`. */
import { locale as readersLocale } from './words.ts';

const units: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day', w: 'week', y: 'year' };

/** `7 days`, in the reader's language. */
export function formatDuration(duration: string, locale = readersLocale): string {
  const unit = units[duration.slice(-1)];
  if (unit === undefined) return duration;
  const form = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return form.format(Number.parseInt(duration, 10));
}

/** `500 ms` or `2 s`, in the reader's language. */
export function formatMilliseconds(ms: number, locale = readersLocale): string {
  const isShort = ms < 1000;
  const form = new Intl.NumberFormat(locale, { style: 'unit', unit: isShort ? 'millisecond' : 'second' });
  return form.format(isShort ? ms : ms / 1000);
}
