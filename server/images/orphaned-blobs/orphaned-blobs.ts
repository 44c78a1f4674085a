/**
 * Removes orphaned blobs: bytes of contents that no row names. They are removed at once, or by a sweep if that fails or
 * the process dies. Bytes are removed only if this process owns their row in `orphaned_blobs` and no transaction can still
 * make them an image:
 * - rows of a dead process are taken over first;
 * - own rows are swept only after their upload or deletion has ended and released them.
 */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { allKeys, contentIdOf } from '../keys.ts';
import type { Stored } from '../transactions.ts';
import type { OrphanQueries } from './queries.ts';

export type OrphanedBlobs = ReturnType<typeof createOrphanedBlobs>;

type Log = Record<'warn' | 'error', (details: object, message: string) => void>;

type Parts = {
  storage: Storage;
  queries: OrphanQueries;
  isAlive: (process: bigint) => Promise<boolean>;
  log: Log;
};

/** Sweeps that look for the row of released bytes, because a commit may be decided late. */
const patience = 60;

const batch = 500;

/** Maximum pending blobs before no more are taken over; a read-only disk would otherwise collect all of them. */
const enough = 10_000;

const idsOf = (images: Stored[]) => images.map(({ id }) => id);

/** `failure` is the first error. */
type Removal = { gone: number; failed: number; failure?: unknown };

export function createOrphanedBlobs({ storage, queries, isAlive, log }: Parts) {
  /** Released contents by id, with the number of sweeps left to look for them. */
  const leftOver = new Map<string, number>();

  /** Contents written without certainty that a row still names them. */
  const unconfirmed = new Map<string, Stored>();

  function leave(images: Pick<Stored, 'id'>[]): void {
    for (const { id } of images) leftOver.set(id, patience);
  }

  async function removeBytes({ id, extension }: Stored): Promise<void> {
    for (const key of allKeys({ id, extension })) await storage.remove(key);
  }

  /** Removes bytes and then their rows in `orphaned_blobs`. @param step called after each image */
  async function removeAll(images: Stored[], step = () => {}): Promise<Removal> {
    const gone: string[] = [];
    const failures: unknown[] = [];
    for (const image of images) {
      await removeBytes(image).then(
        () => gone.push(image.id),
        (error: unknown) => failures.push(error),
      );
      step();
    }
    if (gone.length > 0) await queries.deleteOrphaned(gone);
    for (const id of gone) leftOver.delete(id);
    return { gone: gone.length, failed: failures.length, failure: failures[0] };
  }

  /** Keeps bytes that a row names, for instance after a restored backup. */
  async function spareNamed(images: Stored[]): Promise<Stored[]> {
    const named = new Set(await queries.namedByRows(idsOf(images)));
    if (named.size === 0) return images;
    log.error({ images: [...named] }, 'orphaned bytes kept: a row names them');
    await queries.deleteOrphaned([...named]);
    for (const id of named) leftOver.delete(id);
    return images.filter(({ id }) => !named.has(id));
  }

  async function sweepSome(ids: string[]): Promise<Removal> {
    const free = await queries.freeRows(ids);
    const found = new Set(idsOf(free));
    for (const id of ids) {
      const looks = leftOver.get(id) ?? 0;
      if (found.has(id)) continue;
      if (looks > 1) leftOver.set(id, looks - 1);
      else leftOver.delete(id);
    }
    return removeAll(free.length === 0 ? [] : await spareNamed(free));
  }

  function* own(): Generator<string[]> {
    const ids = [...leftOver.keys()];
    for (let at = 0; at < ids.length; at += batch) yield ids.slice(at, at + batch);
  }

  async function* dead(): AsyncGenerator<bigint> {
    for (const process of await queries.otherProcesses()) if (!(await isAlive(process))) yield process;
  }

  /** Batches of dead processes' ids, which are taken over. */
  async function* ofDead(signal?: AbortSignal): AsyncGenerator<string[]> {
    for await (const process of dead()) {
      while (leftOver.size < enough && !signal?.aborted) {
        const some = await queries.takeOver(process, batch);
        if (some.length === 0) break;
        leave(some);
        yield idsOf(some);
      }
    }
  }

  async function sweepThese(due: AsyncIterable<string[]> | Iterable<string[]>): Promise<number> {
    let removed = 0;
    let failure: unknown;
    for await (const ids of due) {
      const removal = await sweepSome(ids);
      removed += removal.gone;
      failure ??= removal.failure;
    }
    if (failure) throw failure;
    return removed;
  }

  /** Removes unconfirmed bytes that no row names; such a content is never named again. */
  async function reconcileAll(): Promise<void> {
    const images = [...unconfirmed.values()];
    if (images.length === 0) return;
    const named = new Set(await queries.namedByRows(idsOf(images)));
    for (const image of images) {
      if (!named.has(image.id)) await removeBytes(image);
      unconfirmed.delete(image.id);
    }
  }

  return {
    /** Releases bytes to the sweep: undecided ones, or ones that could not be removed. */
    leave,

    /** Removes bytes that no image will ever name. Failures are logged and left to the sweep. */
    async remove(images: Stored[]): Promise<void> {
      const failed = (err: unknown) => {
        log.warn({ err, images: images.length }, 'orphaned bytes not removed; the next sweep tries again');
        leave(images);
      };
      await removeAll(images).then(({ failure }) => failure && failed(failure), failed);
    },

    /**
     * Call after writing bytes under a row lock that may have been lost: removes them if no row names them any more. Each
     * sweep retries until this is known.
     */
    async reconcile(image: Pick<ImageRow, 'id' | 'contentId' | 'extension'>): Promise<void> {
      unconfirmed.set(contentIdOf(image), { id: contentIdOf(image), extension: image.extension });
      await reconcileAll().catch((err: unknown) => {
        log.warn(
          { err, image: image.id },
          'cannot check whether an image still has its row; the next sweep tries again',
        );
      });
    },

    reconcileAll,

    /**
     * Removes all orphaned blobs of this process; it must not upload or delete at the same time.
     * @param step called after each image
     */
    async removeOwn(step: () => void): Promise<Removal> {
      const sum: Removal = { gone: 0, failed: 0 };
      for (let after: string | undefined; ; ) {
        const some = await queries.ownRows(after, batch);
        after = some.at(-1)?.id;
        if (after === undefined) return sum;
        const { gone, failed, failure } = await removeAll(some, step);
        sum.gone += gone;
        sum.failed += failed;
        sum.failure ??= failure;
      }
    },

    async sweepOwn(): Promise<number> {
      await reconcileAll();
      return sweepThese(own());
    },

    /** Sweeps bytes of dead processes until the signal. @returns as `sweep` */
    sweepDead: (signal?: AbortSignal): Promise<number> => sweepThese(ofDead(signal)),

    async hasDead(): Promise<boolean> {
      for await (const _process of dead()) return true;
      return false;
    },

    /** Sweeps everything. @returns the number of removed contents @throws the first failure, after all others are removed */
    async sweep(): Promise<number> {
      await reconcileAll();
      return sweepThese(
        (async function* () {
          yield* own();
          yield* ofDead();
        })(),
      );
    },
  };
}
