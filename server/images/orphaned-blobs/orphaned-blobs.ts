/**
 * Removes orphaned blobs: bytes of contents that no row names. They are removed at once, or by a sweep if that fails or
 * the process dies. Bytes are removed only if this process owns their row in `orphaned_blobs` and no transaction can still
 * make them an image:
 * - rows of a dead process are taken over first;
 * - own rows are swept only after their upload or deletion has ended and released them.
 */
import type { Storage } from '../../storage/storage.ts';
import type { OrphanQueries } from './queries.ts';
import { createReconciliation } from './reconciliation.ts';
import { createReleasedBlobs } from './released.ts';
import { createRemoval, type Log } from './removal.ts';
import { createSweep } from './sweep.ts';

export type OrphanedBlobs = ReturnType<typeof createOrphanedBlobs>;

type Parts = {
  storage: Storage;
  queries: OrphanQueries;
  isAlive: (process: bigint) => Promise<boolean>;
  log: Log;
};

export function createOrphanedBlobs({ storage, queries, isAlive, log }: Parts) {
  const released = createReleasedBlobs();
  const removal = createRemoval({ storage, queries, released, log });
  const { reconcile, reconcileAll } = createReconciliation({ queries, removal, log });
  const { own, ofDead, sweep } = createSweep({ queries, released, removal, isAlive, log });

  return {
    /** Releases bytes to the sweep: undecided ones, or ones that could not be removed. */
    release: released.add,

    remove: removal.remove,
    removeOwn: removal.removeOwn,
    reconcile,
    reconcileAll,

    /** Sweeps released bytes until the signal. @returns as `sweep` */
    async sweepOwn(signal?: AbortSignal): Promise<number> {
      await reconcileAll();
      return sweep(own(), signal);
    },

    /** Sweeps bytes of dead processes until the signal. @returns as `sweep` */
    sweepDead: (signal?: AbortSignal): Promise<number> => sweep(ofDead(signal), signal),

    /** Sweeps everything. @returns the number of removed contents @throws the first failure, after all others are removed */
    async sweep(): Promise<number> {
      await reconcileAll();
      return sweep(
        (async function* () {
          yield* own();
          yield* ofDead();
        })(),
      );
    },
  };
}
