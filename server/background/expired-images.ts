/** Deletes expired images by the same path as a call of their owner. Any number of processes may do so at once. */
import type { Database } from '../database/connect.ts';
import { everythingOf } from '../database/statements/access.ts';
import type { Deletion } from '../images/deletion/deletion.ts';
import { deleteOldEndedLinks, expiredImages } from '../images/expiry/queries.ts';

/** Images of one query, and of one sweep: other sweeps wait for it. The rest follows a minute later. */
const batch = 200;
const maxSwept = 5000;

type Parts = {
  db: Database;
  deletion: Deletion;
  log: Record<'info', (details: object, message: string) => void>;
};

export function createExpirySweep({ db, deletion, log }: Parts) {
  /** @throws the first failure, after all other images are deleted */
  return async (closing: AbortSignal): Promise<void> => {
    const failures: unknown[] = [];
    let deleted = 0;
    let seen = 0;
    let last: Awaited<ReturnType<typeof expiredImages>>[number] | undefined;
    do {
      const images = await expiredImages(db, last, batch);
      last = images.at(-1);
      seen += images.length;
      for (const { id, ownerId } of images) {
        if (closing.aborted) break;
        // Its owner may have postponed the end since, or another process may have deleted it.
        const isDeleted = deletion(everythingOf(ownerId), id, { only: 'expired' });
        if (await isDeleted.catch((error: unknown) => void failures.push(error))) deleted += 1;
      }
    } while (last && seen < maxSwept && !closing.aborted);
    if (deleted > 0) log.info({ images: deleted }, 'deleted expired images');
    await deleteOldEndedLinks(db);
    if (failures.length > 0) throw failures[0];
  };
}
