/** Clears away uploads that have expired and bytes that no open upload needs, and ends what a stopped server left whole. */
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Partials } from '../../storage/partials.ts';

/** At once, so that a sweep ends. */
const few = 20;

type Parts = {
  partials: Partials;
  deleteExpired: () => Promise<void>;
  undecidedOf: (ids: string[]) => Promise<Set<string>>;
  leftWhole: (most: number) => Promise<UploadRow[]>;
  decide: (upload: UploadRow) => Promise<void>;
};

export function createSweep({ partials, deleteExpired, undecidedOf, leftWhole, decide }: Parts) {
  /** @param closing the server stops: what is left waits for the next @throws the first failure, when all else is done */
  return async (gracefulShutdown: AbortSignal): Promise<void> => {
    await deleteExpired();
    // Ids are never given twice: a file that was listed before its row was found gone belongs to nobody any more.
    const ids = [...(await partials.ids())];
    const needed = await undecidedOf(ids);
    const failures: unknown[] = [];
    const commit = (error: unknown) => void failures.push(error);
    for (const id of ids) if (!needed.has(id)) await partials.remove(id).catch(commit);
    for (const upload of await leftWhole(few)) if (!gracefulShutdown.aborted) await decide(upload).catch(commit);
    if (failures.length > 0) throw failures[0];
  };
}
