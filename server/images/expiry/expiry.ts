/** When images end. Links compare it with this process's clock at each answer, so the link cache stays valid. */
import type { ImageRow } from '../../../drizzle/schema.ts';

/** The end of an image that never expires. */
export const NEVER = Number.POSITIVE_INFINITY;

/** A link whose image expired and was deleted. */
export const ENDED = 'ended';
export type Ended = typeof ENDED;

/** @returns ms since 1970 */
export const endOf = ({ expiresAt }: Pick<ImageRow, 'expiresAt'>): number => expiresAt?.getTime() ?? NEVER;

export const hasEnded = (end: number): boolean => end !== NEVER && end <= Date.now();

/** Whole seconds, rounded down; 0 after the end. */
export const secondsLeft = (end: number): number =>
  end === NEVER ? NEVER : Math.max(0, Math.floor((end - Date.now()) / 1000));
