import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../trust-tests/testing/call.ts';
import { isAway } from './away.ts';
import type { Slot } from './slots.ts';

/** Milliseconds after the answer to a deletion from which on its links answer nowhere. */
const bound = 1000;

/**
 * Asks one process for a link whose deletion was answered, until it is dead there, and once more after the bound: what had read
 * the row before may have put it into memory since. What is asked before the bound has passed may be answered: so a slow
 * machine does not judge.
 * @param answered when the deletion was, by performance.now()
 * @returns milliseconds from then on until it was asked for in vain; Infinity where it was answered after the bound; undefined
 * where the process ended before
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
    // A process that is gone has nothing in memory; one that is there and cannot answer has not answered.
    if (!answer && !isUp()) return died;
    if (after > bound && answer && !isAway(answer.status))
      return answer.status === 404 ? died : Number.POSITIVE_INFINITY;
    await sleep(died === undefined ? 10 : Math.max(10, bound + 1 - (performance.now() - answered)));
  }
}
