import { setTimeout as sleep } from 'node:timers/promises';

type Look<T> = () => Promise<T | undefined | false> | T | undefined | false;

class NotSeen extends Error {}

/**
 * Polls `look` until it returns something other than `undefined` or `false`, and returns that.
 * @param what describes the wait in the error message
 * @param bound seconds until it throws: generous, so that a slow machine does not fail the test
 */
export async function eventually<T>(what: string, look: Look<T>, bound = 90): Promise<T> {
  const end = Date.now() + bound * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new NotSeen(`not seen within ${bound} s: ${what}`);
    await sleep(10);
  }
}

/** Polls like `eventually`, but returns at the time limit; the caller then compares the last state. */
export async function giveTime(look: Look<unknown>, bound?: number): Promise<void> {
  await eventually('', look, bound).catch((error: unknown) => {
    if (!(error instanceof NotSeen)) throw error;
  });
}
