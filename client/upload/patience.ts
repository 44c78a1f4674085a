/** How long an upload is tried again while nobody answers. */

/** Without a sign of the server in between: some two minutes, as long as it takes to be started anew. */
export const MOST_TRIES = 14;

/** Milliseconds before the next try, the longer the more there were. */
export const pauseAfter = (tries: number): number => Math.min(15_000, 250 * 2 ** tries);

/** Milliseconds; less where a network is back before, or `signal` says so. */
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
