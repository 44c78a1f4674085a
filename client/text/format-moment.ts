import { locale } from './words.ts';

/** A date with its time, in the reader's language. */
export const formatMoment = (moment: string): string =>
  new Date(moment).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
