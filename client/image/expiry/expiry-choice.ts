/** What the form of an image's end offers, and what it sends. */
import type { ImageChange } from '../../../server/contract.ts';

export const durations = ['1h', '1d', '7d', '30d', '1y'] as const;

export type Duration = (typeof durations)[number];
export type Choice = 'never' | Duration | 'date';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** ms; a year has 365 days, as on the server (server/lib/duration.ts). */
const lengths: Readonly<Record<Duration, number>> = {
  '1h': HOUR,
  '1d': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '1y': 365 * DAY,
};

/** The server's limits for an end, in ms from now. */
const LEAST = 5 * 60_000;
const MOST = 5 * 365 * DAY;

/** Whether the server accepts this end. @param end ms since 1970 */
export const isAllowed = (end: number, now: number): boolean => end - now >= LEAST && end - now <= MOST;

/** A moment as the value of `<input type="datetime-local">`: local time, to the minute. @param moment ms since 1970 */
export function toLocalInput(moment: number): string {
  const offset = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - offset).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length);
}

export interface ChosenEnd {
  readonly choice: Choice;
  /** The date field's value; empty if it is incomplete. */
  readonly date: string;
}

/** What the form starts with: the current end, and a week from now as the suggested date. */
export const currentEnd = (expiresAt: string | null, now: number): ChosenEnd =>
  expiresAt === null
    ? { choice: 'never', date: toLocalInput(now + lengths['7d']) }
    : { choice: 'date', date: toLocalInput(Date.parse(expiresAt)) };

export const isSame = (one: ChosenEnd, other: ChosenEnd): boolean =>
  one.choice === other.choice && (one.choice !== 'date' || one.date === other.date);

/** The chosen moment in ms since 1970; null for never; NaN for an incomplete date. */
export function momentOf({ choice, date }: ChosenEnd, now: number): number | null {
  if (choice === 'never') return null;
  // Without a time zone, the browser reads it as local time.
  return choice === 'date' ? Date.parse(date) : now + lengths[choice];
}

/** @returns what to send; undefined if the server would refuse it */
export function changeOf(chosen: ChosenEnd, now: number): ImageChange | undefined {
  const { choice } = chosen;
  const moment = momentOf(chosen, now);
  if (moment === null) return { expires_in: null };
  // A duration begins when it arrives at the server, whose clock may differ from this one.
  if (choice !== 'date') return { expires_in: choice };
  return isAllowed(moment, now) ? { expires_at: new Date(moment).toISOString() } : undefined;
}
