import type { Database } from '../../database/connect.ts';
import { createOrphanedBlobs, type OrphanedBlobs } from '../../images/orphaned-blobs/orphaned-blobs.ts';
import { createOrphanQueries } from '../../images/orphaned-blobs/queries.ts';
import type { Storage } from '../../storage/storage.ts';
import { noteAbove } from './console/progress.ts';

/** The orphaned blobs as a server handles them, under the command's own process number. */
export function orphanedBlobsOf(
  { db }: { db: Database },
  storage: Storage,
  process: bigint,
  isAlive: (process: bigint) => Promise<boolean> = async () => true,
): OrphanedBlobs {
  const note = (_details: object, message: string) => noteAbove(message);
  return createOrphanedBlobs({
    storage,
    queries: createOrphanQueries(db, process),
    isAlive,
    log: { warn: note, error: note },
  });
}
