/** Cached gauges: expensive values for scrapes, renewed at limited intervals and with a limited wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { joinRunning } from '../lib/single-flight.ts';

/** Milliseconds before a retry. */
const pauseAfterFailure = 30_000;

type Options = {
  /** Milliseconds for which a value is valid. */
  ttl: number;
  onFailure?: (error: unknown) => void;
  now?: () => number;
};

/** Waits at most `max` milliseconds for work that never rejects. */
export async function waitFor(work: Promise<unknown>, max: number): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([work, sleep(max, undefined, { signal }).catch(() => undefined)]);
  over.abort();
}

/** Waits at most `maxWait` milliseconds for a renewal, then returns the previous value; undefined before the first one. */
export function cachedGauge<T>(
  work: () => Promise<T>,
  { ttl, onFailure, now = () => performance.now() }: Options,
): (maxWait: number) => Promise<T | undefined> {
  let value: T | undefined;
  let due = Number.NEGATIVE_INFINITY;
  const renew = joinRunning(async () => {
    try {
      value = await work();
      due = now() + ttl;
    } catch (error) {
      due = now() + pauseAfterFailure;
      onFailure?.(error);
    }
  });
  return async (maxWait) => {
    if (now() >= due) await waitFor(renew(), maxWait);
    return value;
  };
}
