/** The retry policy while the server does not answer. */

/** Retries without any answer: about two minutes, enough for a server restart. */
export const MOST_TRIES = 14;

/** Milliseconds before the next try; exponential, at most 15 s. */
export const pauseAfter = (tries: number): number => Math.min(15_000, 250 * 2 ** tries);

/** Waits `ms` milliseconds, or less if the network returns or `signal` aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', over);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    window.addEventListener('online', over);
    signal.addEventListener('abort', over);
  });
}
