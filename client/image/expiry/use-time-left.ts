import { useEffect, useState } from 'react';
import type { Image } from '../../../server/contract.ts';

/** A minute is the smallest unit that is shown. */
const REFRESH_MS = 30_000;

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds until an image's end, kept current; 0 from the end on, and Infinity if it never expires. */
export function useTimeLeft(expiresAt: string | null, refresh = REFRESH_MS): number {
  const end = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  const [now, setNow] = useState(Date.now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time sets the next timer
  useEffect(() => {
    const left = end - Date.now();
    if (left === Number.POSITIVE_INFINITY) return;
    if (left <= 0) return setNow(end);
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left, refresh));
    return () => clearTimeout(timer);
  }, [end, now, refresh]);
  return Math.max(0, end - now);
}

/** Whether an image has expired: its links no longer work, and its owner cannot change it. */
export const useIsExpired = ({ expires_at }: Pick<Image, 'expires_at'>): boolean =>
  useTimeLeft(expires_at, LONGEST_MS) === 0;
