/**
 * Bytes that no row names: removed at once where a step fails or an image is deleted, and where that fails too, or the
 * process dies first, by a sweep. Bytes go only when their loose row is this process's own and nobody's transaction can
 * make them an image any more:
 * - those of a process that lives no more are first put under this one's name;
 * - its own are swept only when the upload or deletion that was at them has ended and handed them over.
 */
import type { Storage } from '../storage/storage.ts';
import { allKeys } from './keys.ts';
import type { LooseQueries } from './loose-queries.ts';
import type { Stored } from './transactions.ts';

export type LooseBytes = ReturnType<typeof createLooseBytes>;

type Log = Record<'warn' | 'error', (details: object, message: string) => void>;

type Parts = {
  storage: Storage;
  queries: LooseQueries;
  isAlive: (process: bigint) => Promise<boolean>;
  log: Log;
};

/** Sweeps that look for bytes handed over whose rows were not seen: a commit may be decided late. */
const patience = 60;

/** Rows asked for at once. */
const batch = 500;

const idsOf = (images: Stored[]) => images.map(({ id }) => id);

export function createLooseBytes({ storage, queries, isAlive, log }: Parts) {
  /** Handed over, by id: how many more sweeps look for them. */
  const leftOver = new Map<string, number>();

  function leave(images: Pick<Stored, 'id'>[]): void {
    for (const { id } of images) leftOver.set(id, patience);
  }

  async function removeBytes(image: Stored): Promise<void> {
    for (const key of allKeys({ ...image, hasScreen: true })) await storage.remove(key);
  }

  /** The bytes, and when they are gone for good, the rows that told of them. @returns how many */
  async function removeAll(images: Stored[]): Promise<number> {
    const gone: string[] = [];
    let failure: unknown;
    for (const image of images) {
      await removeBytes(image).then(
        () => gone.push(image.id),
        (error: unknown) => {
          failure ??= error;
        },
      );
    }
    if (gone.length > 0) await queries.deleteLoose(gone);
    for (const id of gone) leftOver.delete(id);
    if (failure) throw failure;
    return gone.length;
  }

  async function takeOverTheDeads(): Promise<void> {
    for (const process of await queries.otherProcesses()) {
      if (!(await isAlive(process))) leave(await queries.takeOver(process));
    }
  }

  /** A last look, should rows have come back in some other way than by this program: bytes with a row stay. */
  async function spareNamed(images: Stored[]): Promise<Stored[]> {
    const named = new Set(await queries.namedByRows(idsOf(images)));
    if (named.size === 0) return images;
    log.error({ images: [...named] }, 'bytes that were to be removed have a row, and stay');
    await queries.deleteLoose([...named]);
    for (const id of named) leftOver.delete(id);
    return images.filter(({ id }) => !named.has(id));
  }

  async function sweepSome(ids: string[]): Promise<number> {
    const free = await queries.freeRows(ids);
    const found = new Set(idsOf(free));
    for (const id of ids) {
      const looks = leftOver.get(id) ?? 0;
      if (found.has(id)) continue;
      if (looks > 1) leftOver.set(id, looks - 1);
      else leftOver.delete(id);
    }
    return free.length === 0 ? 0 : removeAll(await spareNamed(free));
  }

  return {
    /** Hands over what may be loose to the sweep: what is undecided, or could not be removed. */
    leave,

    /** Removes the bytes of images that are no more, or never will be; what fails is logged and left to the sweep. */
    async remove(images: Stored[]): Promise<void> {
      try {
        await removeAll(images);
      } catch (err) {
        log.warn({ err, images: images.length }, 'bytes without a row are not removed yet; the next sweep tries again');
        leave(images);
      }
    },

    /** @returns how many images' bytes were removed */
    async sweep(): Promise<number> {
      await takeOverTheDeads();
      let removed = 0;
      const ids = [...leftOver.keys()];
      for (let at = 0; at < ids.length; at += batch) removed += await sweepSome(ids.slice(at, at + batch));
      return removed;
    },
  };
}
