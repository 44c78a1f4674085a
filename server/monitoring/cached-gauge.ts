/** What costs something to find out: asked for by scrapes, found out at most so often, and never waited for long. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds, where nothing else is said: who is in trouble is not asked all the time. */
const pauseAfterFailure = 30_000;

type Options = {
  /** Milliseconds for which what was found is told. */
  lasts: number;
  onFailure?: (error: unknown) => void;
  now?: () => number;
};

/** Waits for work that does not fail, so many milliseconds at most. */
export async function waitFor(work: Promise<unknown>, most: number): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([work, sleep(most, undefined, { signal }).catch(() => undefined)]);
  over.abort();
}

/**
 * @returns asks: what `work` has found; what it found before where it takes longer than the given milliseconds, or fails;
 * undefined before it has found anything. It goes on behind an answer that did not wait for it, and one at a time.
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
