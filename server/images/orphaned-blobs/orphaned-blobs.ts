/**
 * Bytes that no row names, by their content's id: removed at once where a step fails or an image is deleted, and where that fails too, or the
 * process dies first, by a sweep. Bytes go only when their loose row is this process's own and nobody's transaction can
 * make them an image any more:
 * - those of a process that lives no more are first put under this one's name;
 * - its own are swept only when the upload or deletion that was at them has ended and handed them over.
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

/** Sweeps that look for bytes handed over whose rows were not seen: a commit may be decided late. */
const patience = 60;

/** Rows asked for at once. */
const batch = 500;

/** Left over, beyond which nothing more is taken over: with a disk that cannot be written, all of it would be. */
const enough = 10_000;

const idsOf = (images: Stored[]) => images.map(({ id }) => id);

/** What became of the bytes of some images; `failure` is the first one. */
type Removal = { gone: number; failed: number; failure?: unknown };

export function createOrphanedBlobs({ storage, queries, isAlive, log }: Parts) {
  /** Handed over, by id: how many more sweeps look for them. */
  const leftOver = new Map<string, number>();

  /** Whose bytes were written while it was not sure that their row stays. */
  const unconfirmed = new Map<string, Stored>();

  function leave(images: Pick<Stored, 'id'>[]): void {
    for (const { id } of images) leftOver.set(id, patience);
  }

  async function removeBytes({ id, extension }: Stored): Promise<void> {
    for (const key of allKeys({ id, extension })) await storage.remove(key);
  }

  /** The bytes, and when they are gone for good, the rows that told of them. @param step told after each image */
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

  /** A last look, should rows have come back in some other way than by this program: bytes with a row stay. */
  async function spareNamed(images: Stored[]): Promise<Stored[]> {
    const named = new Set(await queries.namedByRows(idsOf(images)));
    if (named.size === 0) return images;
    log.error({ images: [...named] }, 'bytes that were to be removed have a row, and stay');
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

  /** Ids to be swept: this process's own. */
  function* own(): Generator<string[]> {
    const ids = [...leftOver.keys()];
    for (let at = 0; at < ids.length; at += batch) yield ids.slice(at, at + batch);
  }

  async function* dead(): AsyncGenerator<bigint> {
    for (const process of await queries.otherProcesses()) if (!(await isAlive(process))) yield process;
  }

  /** Some of each dead process's at a time, until no more can be removed. */
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

  /** A content that no row names is never named again: what was written of it goes. */
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
    /** Hands over what may be loose to the sweep: what is undecided, or could not be removed. */
    leave,

    /** Removes bytes that no image names any more, or ever will; what fails is logged and left to the sweep. */
    async remove(images: Stored[]): Promise<void> {
      const failed = (err: unknown) => {
        log.warn({ err, images: images.length }, 'bytes without a row are not removed yet; the next sweep tries again');
        leave(images);
      };
      await removeAll(images).then(({ failure }) => failure && failed(failure), failed);
    },

    /**
     * Told where bytes of an image were written under the lock of the rows that name them, and the lock may have been
     * lost meanwhile: they go where the last row has gone. While that cannot be known, each sweep asks again.
     */
    async reconcile(image: Pick<ImageRow, 'id' | 'contentId' | 'extension'>): Promise<void> {
      unconfirmed.set(contentIdOf(image), { id: contentIdOf(image), extension: image.extension });
      await reconcileAll().catch((err: unknown) => {
        log.warn({ err, image: image.id }, 'it is not known whether an image still has its row; the next sweep asks');
      });
    },

    /** Asks once more about what is in doubt. @throws what the database or the storage throws */
    reconcileAll,

    /**
     * All that is loose under this process's name, for a process that is at nothing else.
     * @param step told after each image
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

    /** What is this process's own. @returns as `sweep` */
    async sweepOwn(): Promise<number> {
      await reconcileAll();
      return sweepThese(own());
    },

    /** What processes left that live no more, until the signal. @returns as `sweep` */
    sweepDead: (signal?: AbortSignal): Promise<number> => sweepThese(ofDead(signal)),

    /** Whether processes that live no more have left something. */
    async hasDead(): Promise<boolean> {
      for await (const _process of dead()) return true;
      return false;
    },

    /** All of it. @returns how many images' bytes were removed @throws the first failure, when all that can be is removed */
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
