import { setTimeout as sleep } from 'node:timers/promises';

type Look<T> = () => Promise<T | undefined | false> | T | undefined | false;

class InVain extends Error {}

/**
 * Looks again and again until there is an answer.
 * @param bound seconds after which the wait is given up: far more than it can take, so that no slow machine fails
 */
export async function eventually<T>(what: string, look: Look<T>, bound = 90): Promise<T> {
  const end = Date.now() + bound * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new InVain(`waited ${bound} s in vain: ${what}`);
    await sleep(20);
  }
}

/** The same for who judges by himself what was seen last: only what the look throws is thrown. */
export async function giveTime(look: Look<unknown>, bound?: number): Promise<void> {
  await eventually('', look, bound).catch((error: unknown) => {
    if (!(error instanceof InVain)) throw error;
  });
}
