import type { Stored } from '../transactions.ts';
import { batchSize, type OrphanQueries } from './queries.ts';
import type { ReleasedBlobs } from './released.ts';
import type { Log, Removal, RemovalResult } from './removal.ts';

type Parts = {
  queries: OrphanQueries;
  released: ReleasedBlobs;
  removal: Pick<Removal, 'removeAll'>;
  isAlive: (process: bigint) => Promise<boolean>;
  log: Log;
};

const idsOf = (images: Stored[]) => images.map(({ id }) => id);

/** Sweeps rows of `orphaned_blobs`: those that this process has released, and those of dead processes. */
export function createSweep({ queries, released, removal, isAlive, log }: Parts) {
  /** Keeps bytes that a row names, for instance after a restored backup. */
  async function spareNamed(images: Stored[]): Promise<Stored[]> {
    const named = new Set(await queries.namedByRows(idsOf(images)));
    if (named.size === 0) return images;
    log.error({ images: [...named] }, 'orphaned bytes kept: a row names them');
    await queries.deleteOrphaned([...named]);
    released.delete(named);
    return images.filter(({ id }) => !named.has(id));
  }

  async function sweepBatch(ids: string[], signal: AbortSignal | undefined): Promise<RemovalResult> {
    const free = await queries.freeRows(ids);
    const found = new Set(idsOf(free));
    for (const id of ids) if (!found.has(id)) released.miss(id);
    return removal.removeAll(free.length === 0 ? [] : await spareNamed(free), { signal });
  }

  return {
    own: () => released.batches(batchSize),

    /** Batches of dead processes' ids, which are taken over. */
    async *ofDead(signal?: AbortSignal): AsyncGenerator<string[]> {
      for (const process of await queries.otherProcesses()) {
        if (await isAlive(process)) continue;
        while (!released.isFull() && !signal?.aborted) {
          const some = await queries.takeOver(process, batchSize);
          if (some.length === 0) break;
          released.add(some);
          yield idsOf(some);
        }
      }
    },

    /** @returns the number of removed contents @throws the first failure, after all others are removed or the signal */
    async sweep(batches: AsyncIterable<string[]> | Iterable<string[]>, signal?: AbortSignal): Promise<number> {
      let removed = 0;
      let failure: unknown;
      for await (const ids of batches) {
        if (signal?.aborted) break;
        const result = await sweepBatch(ids, signal);
        removed += result.gone;
        failure ??= result.failure;
      }
      if (failure) throw failure;
      return removed;
    },
  };
}
