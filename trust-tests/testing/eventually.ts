import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again until there is an answer.
 * @param bound seconds after which the wait is given up: far more than it can take, so that no slow machine fails
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  bound = 90,
): Promise<T> {
  const end = Date.now() + bound * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`waited ${bound} s in vain: ${what}`);
    await sleep(20);
  }
}
