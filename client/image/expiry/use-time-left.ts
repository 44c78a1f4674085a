import { useEffect, useState } from 'react';

/** A minute is the smallest unit that is shown. */
const REFRESH_MS = 30_000;

/** Milliseconds until an image's end, kept current; 0 from the end on, and Infinity if it never expires. */
export function useTimeLeft(expiresAt: string | null): number {
  const end = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  const [now, setNow] = useState(Date.now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time sets the next timer
  useEffect(() => {
    const left = end - Date.now();
    if (left === Number.POSITIVE_INFINITY) return;
    if (left <= 0) return setNow(end);
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left, REFRESH_MS));
    return () => clearTimeout(timer);
  }, [end, now]);
  return Math.max(0, end - now);
}
