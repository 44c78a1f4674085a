/** Deletes expired uploads and unneeded bytes, and decides complete uploads that a stopped server left. */
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Partials } from '../../storage/partials.ts';

/** Uploads decided in one sweep. */
const maxDecisions = 20;

type Parts = {
  partials: Partials;
  deleteExpired: () => Promise<void>;
  undecidedOf: (ids: string[]) => Promise<Set<string>>;
  leftWhole: (limit: number) => Promise<UploadRow[]>;
  decide: (upload: UploadRow) => Promise<void>;
};

export function createSweep({ partials, deleteExpired, undecidedOf, leftWhole, decide }: Parts) {
  /** @throws the first failure, after everything else is done */
  return async (closing: AbortSignal): Promise<void> => {
    await deleteExpired();
    // Ids are never reused: a listed file without a row belongs to no upload.
    const ids = [...(await partials.ids())];
    const needed = await undecidedOf(ids);
    const failures: unknown[] = [];
    const collect = (error: unknown) => void failures.push(error);
    for (const id of ids) if (!needed.has(id)) await partials.remove(id).catch(collect);
    for (const upload of await leftWhole(maxDecisions)) if (!closing.aborted) await decide(upload).catch(collect);
    if (failures.length > 0) throw failures[0];
  };
}
