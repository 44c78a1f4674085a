import type { Storage } from '../../storage/storage.ts';
import { allKeys } from '../keys.ts';
import type { Stored } from '../transactions.ts';
import { batchSize, type OrphanQueries } from './queries.ts';
import type { ReleasedBlobs } from './released.ts';

/** `failure` is the first error. */
export type RemovalResult = { gone: number; failed: number; failure?: unknown };

export type Log = Record<'warn' | 'error', (details: object, message: string) => void>;

/** `step` is called after each image. */
type RemovalOptions = { step?: () => void; signal?: AbortSignal | undefined };

type Parts = { storage: Storage; queries: OrphanQueries; released: ReleasedBlobs; log: Log };

export type Removal = ReturnType<typeof createRemoval>;

export function createRemoval({ storage, queries, released, log }: Parts) {
  async function removeBytes({ id, extension }: Stored): Promise<void> {
    for (const key of allKeys({ id, extension })) await storage.remove(key);
  }

  /** Removes bytes and then their rows in `orphaned_blobs`. @param signal ends it between two images */
  async function removeAll(images: Stored[], { step = () => {}, signal }: RemovalOptions = {}): Promise<RemovalResult> {
    const gone: string[] = [];
    const failures: unknown[] = [];
    for (const image of images) {
      if (signal?.aborted) break;
      await removeBytes(image).then(
        () => gone.push(image.id),
        (error: unknown) => failures.push(error),
      );
      step();
    }
    if (gone.length > 0) await queries.deleteOrphaned(gone);
    released.delete(gone);
    return { gone: gone.length, failed: failures.length, failure: failures[0] };
  }

  return {
    removeBytes,
    removeAll,

    /** Removes bytes that no image will ever name. Failures are logged and left to the sweep. */
    async remove(images: Stored[]): Promise<void> {
      const failed = (err: unknown) => {
        log.warn({ err, images: images.length }, 'orphaned bytes not removed; the next sweep tries again');
        released.add(images);
      };
      await removeAll(images).then(({ failure }) => failure && failed(failure), failed);
    },

    /** This process must not upload or delete at the same time. @param step called after each image */
    async removeOwn(step: () => void): Promise<RemovalResult> {
      const sum: RemovalResult = { gone: 0, failed: 0 };
      for (let after: string | undefined; ; ) {
        const some = await queries.ownRows(after, batchSize);
        after = some.at(-1)?.id;
        if (after === undefined) return sum;
        const { gone, failed, failure } = await removeAll(some, { step });
        sum.gone += gone;
        sum.failed += failed;
        sum.failure ??= failure;
      }
    },
  };
}
