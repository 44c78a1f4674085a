/** Deletes expired uploads and unneeded bytes, and decides complete uploads that a stopped server left. */
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import type { Partials } from '../../storage/partials.ts';
import type { Client } from '../admission.ts';
import { deleteExpired, leftWhole, undecidedOf } from './queries.ts';

/** Uploads decided in one sweep. */
const maxDecisions = 20;

type Parts = {
  db: Database;
  partials: Partials;
  decide: (upload: UploadRow, client: Client) => Promise<void>;
};

export function createSweep({ db, partials, decide }: Parts) {
  /** @throws the first failure, after everything else is done */
  return async (closing: AbortSignal): Promise<void> => {
    await deleteExpired(db);
    // Ids are never reused: a listed file without a row belongs to no upload.
    const ids = [...(await partials.ids())];
    const needed = await undecidedOf(db, ids);
    const failures: unknown[] = [];
    const collect = (error: unknown) => void failures.push(error);
    for (const id of ids) if (!needed.has(id)) await partials.remove(id).catch(collect);
    for (const { upload, linkId } of await leftWhole(db, maxDecisions)) {
      const client = { account: linkId ?? upload.ownerId, address: 'sweep' };
      if (!closing.aborted) await decide(upload, client).catch(collect);
    }
    if (failures.length > 0) throw failures[0];
  };
}
