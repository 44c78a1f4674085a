import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../trust-tests/testing/call.ts';
import { isAway } from './away.ts';
import type { Slot } from './slots.ts';

/** Milliseconds after a deletion's answer until its links must be dead everywhere. */
const bound = 1000;

/**
 * Requests a deleted link from one process until it is dead, and once more after the bound: a process that read the row
 * earlier may have cached it since. Answers before the bound do not count.
 * @param answered time of the deletion's answer, by performance.now()
 * @returns milliseconds until the first 404; Infinity if the link works after the bound; undefined if the process ended
 */
export async function deathOf(
  { origin, isUp }: Pick<Slot, 'origin' | 'isUp'>,
  path: string,
  answered: number,
): Promise<number | undefined> {
  let died: number | undefined;
  for (;;) {
    const after = performance.now() - answered;
    const answer = await call(origin, path).catch(() => undefined);
    if (answer?.status === 404) died ??= after;
    // A process that has ended caches nothing; one that is unavailable has not answered yet.
    if (!answer && !isUp()) return died;
    if (after > bound && answer && !isAway(answer.status))
      return answer.status === 404 ? died : Number.POSITIVE_INFINITY;
    await sleep(died === undefined ? 10 : Math.max(10, bound + 1 - (performance.now() - answered)));
  }
}
