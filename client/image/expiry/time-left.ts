/** How the page writes when an image expires. */
import { formatMoment } from '../../text/format-moment.ts';
import { locale, separator, preview as texts } from '../../text/words.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Days from which on only the date is shown. */
const NEAR_DAYS = 30;

/** The time left in its largest unit, at least a minute. @returns undefined if the end is not near */
export function timeLeft(ms: number): readonly [count: number, unit: 'minute' | 'hour' | 'day'] | undefined {
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  if (minutes < 60) return [minutes, 'minute'];
  const hours = Math.round(ms / HOUR);
  if (hours < 24) return [hours, 'hour'];
  const days = Math.round(ms / DAY);
  return days <= NEAR_DAYS ? [days, 'day'] : undefined;
}

const relative = (ms: number): string | undefined => {
  const left = timeLeft(ms);
  return left && new Intl.RelativeTimeFormat(locale).format(...left);
};

/** The texts of an end. */
export interface EndTexts {
  /** `in 3 days`, or the date if it is not near */
  readonly short: string;
  /** `Expires in 3 days`, or `Expires Dec 24, 2027, 9:15 AM` */
  readonly sentence: string;
  /** the sentence, always with the date and the time */
  readonly full: string;
  /** `in 3 days`; undefined if it is not near */
  readonly near: string | undefined;
}

/** @param end ISO 8601 @param ms until then */
export function describeEnd(end: string, ms: number): EndTexts {
  const { on, soon } = texts.expiry;
  const near = relative(ms);
  const moment = formatMoment(end);
  const sentence = near === undefined ? on(moment) : soon(near);
  return {
    short: near ?? new Date(end).toLocaleDateString(locale, { dateStyle: 'medium' }),
    sentence,
    full: near === undefined ? sentence : sentence + separator + moment,
    near,
  };
}
