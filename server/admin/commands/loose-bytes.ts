import type { Database } from '../../database/connect.ts';
import { createLooseBytes, type LooseBytes } from '../../images/orphaned-blobs/orphaned-blobs.ts';
import { createLooseQueries } from '../../images/orphaned-blobs/queries.ts';
import type { Storage } from '../../storage/storage.ts';
import { noteAbove } from './console/progress.ts';

/** As a server has them, under the name of the command's own process. */
export function looseBytesOf(
  { db }: { db: Database },
  storage: Storage,
  process: bigint,
  isAlive: (process: bigint) => Promise<boolean> = async () => true,
): LooseBytes {
  const note = (_details: object, message: string) => noteAbove(message);
  return createLooseBytes({
    storage,
    queries: createLooseQueries(db, process),
    isAlive,
    log: { warn: note, error: note },
  });
}
