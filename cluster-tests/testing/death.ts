import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../trust-tests/testing/call.ts';

/** Milliseconds after the answer to a deletion from which on its links answer nowhere. */
const bound = 1000;

/**
 * Asks one process for a link whose deletion was answered, until it is dead there. What is asked before the bound has passed
 * may be answered: so a slow machine does not judge.
 * @param answered when the deletion was, by performance.now()
 * @returns milliseconds from then on until it was asked for in vain; Infinity where it was answered after the bound; undefined
 * where the process ended before
 */
export async function deathOf(origin: string, path: string, answered: number): Promise<number | undefined> {
  for (;;) {
    const after = performance.now() - answered;
    // A process that is gone has nothing in memory; one that cannot answer has not answered.
    const status = await call(origin, path).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 404) return after;
    if (after > bound) return status === 200 ? Number.POSITIVE_INFINITY : undefined;
    await sleep(10);
  }
}
