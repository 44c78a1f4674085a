/** Cached gauges: expensive values for scrapes, renewed at limited intervals and with a limited wait. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before a retry. */
const pauseAfterFailure = 30_000;

type Options = {
  /** Milliseconds for which a value is valid. */
  lasts: number;
  onFailure?: (error: unknown) => void;
  now?: () => number;
};

/** Waits at most `most` milliseconds for work that never rejects. */
export async function waitFor(work: Promise<unknown>, most: number): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([work, sleep(most, undefined, { signal }).catch(() => undefined)]);
  over.abort();
}

/**
 * Returns a function that reads the value, and waits at most `patience` milliseconds for a renewal, which then continues in
 * the background. It returns the previous value if the renewal is slow or fails; undefined before the first value.
 */
export function cachedGauge<T>(
  work: () => Promise<T>,
  { lasts, onFailure, now = () => performance.now() }: Options,
): (patience: number) => Promise<T | undefined> {
  let value: T | undefined;
  let due = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const renew = async () => {
    try {
      value = await work();
      due = now() + lasts;
    } catch (error) {
      due = now() + pauseAfterFailure;
      onFailure?.(error);
    }
    running = undefined;
  };
  return async (patience) => {
    if (now() >= due) running ??= renew();
    if (running) await waitFor(running, patience);
    return value;
  };
}
