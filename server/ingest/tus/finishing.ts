/** Stores a complete upload exactly once: the transaction that stores the image also decides the upload's row. */
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import type { DeleteKeys } from '../../images/links/delete-keys.ts';
import { createSingleFlight } from '../../lib/single-flight.ts';
import type { Partials } from '../../storage/partials.ts';
import type { Client } from '../admission.ts';
import type { Ingest } from '../ingest.ts';
import { keepingOf } from '../upload-options.ts';
import { decideRefused, decideStored, deleteUndecided, undecidedOf } from './queries.ts';
import { storeFile } from './single-upload.ts';

/** Another process decided the upload, or it was cancelled. */
class AlreadyDecided extends Error {}

export type FinishingParts = {
  db: Database;
  partials: Partials;
  ingest: Ingest;
  deleteKeys: DeleteKeys;
};

export const isDecided = (upload: UploadRow): boolean => upload.imageId !== null || upload.refusal !== null;
export const isWhole = (upload: UploadRow): boolean => upload.received === upload.size;

export function createFinishing({ db, partials, ingest, deleteKeys }: FinishingParts) {
  const running = createSingleFlight<void>();

  async function take(upload: UploadRow, client: Client): Promise<void> {
    const { id, ownerId, filename, uploadKey } = upload;
    const keeping = keepingOf(upload, deleteKeys);
    // The bytes were lost with a disk, so the client must start again.
    if (!(await partials.isThere(upload))) return deleteUndecided(db, id);
    const refusal = await storeFile(ingest, {
      ownerId,
      client,
      filename,
      uploadKey,
      source: await partials.read(upload),
      keeping: {
        ...keeping,
        async alongside(tx, stored, present) {
          for (const { id: imageId } of [...stored, ...present]) {
            if (!(await decideStored(tx, id, imageId))) throw new AlreadyDecided();
          }
          await keeping.alongside?.(tx, stored, present);
        },
      },
    });
    if (refusal) await decideRefused(db, id, { code: refusal.code, message: refusal.message });
  }

  async function finish(upload: UploadRow, client: Client): Promise<void> {
    await take(upload, client).catch(async (error) => {
      // Another process may have decided it and removed the bytes while they were read here.
      if (error instanceof AlreadyDecided) return;
      if ((await undecidedOf(db, [upload.id])).size > 0) throw error;
    });
    // If this fails, the sweep removes the bytes.
    await partials.remove(upload.id).catch(() => undefined);
  }

  return {
    /** Decides a complete upload. @throws server errors, after which a call may be repeated */
    decide: (upload: UploadRow, client: Client): Promise<void> =>
      running.share(upload.id, () => finish(upload, client)),

    settled: running.settled,
  };
}
