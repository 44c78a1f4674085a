/** Stores a complete upload exactly once: the transaction that stores the image also decides the upload's row. */
import type { Readable } from 'node:stream';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Transaction } from '../../database/connect.ts';
import { createSingleFlight } from '../../lib/single-flight.ts';
import type { Partials } from '../../storage/partials.ts';

/** Another process decided the upload, or it was cancelled. */
class AlreadyDecided extends Error {}

export type TakeFile = (file: {
  ownerId: string;
  filename: string;
  source: Readable;
  alongside: (tx: Transaction, imageId: string) => Promise<void>;
}) => Promise<{ imageId: string } | { refused: Error & { code: string } }>;

type Parts = {
  partials: Partials;
  takeFile: TakeFile;
  decideStored: (tx: Transaction, id: string, imageId: string) => Promise<boolean>;
  decideRefused: (id: string, refusal: { code: string; message: string }) => Promise<void>;
  /** Deletes the upload unless it is decided. */
  forget: (id: string) => Promise<void>;
  isStillOpen: (id: string) => Promise<boolean>;
};

export const isDecided = (upload: UploadRow): boolean => upload.imageId !== null || upload.refusal !== null;
export const isWhole = (upload: UploadRow): boolean => upload.received === upload.size;

export function createFinishing({ partials, takeFile, decideStored, decideRefused, forget, isStillOpen }: Parts) {
  const running = createSingleFlight<void>();

  async function take(upload: UploadRow): Promise<void> {
    const { id, ownerId, filename } = upload;
    // The bytes were lost with a disk, so the client must start again.
    if (!(await partials.isThere(upload))) return forget(id);
    const outcome = await takeFile({
      ownerId,
      filename,
      source: await partials.read(upload),
      async alongside(tx, imageId) {
        if (!(await decideStored(tx, id, imageId))) throw new AlreadyDecided();
      },
    });
    if ('refused' in outcome) await decideRefused(id, { code: outcome.refused.code, message: outcome.refused.message });
  }

  async function finish(upload: UploadRow): Promise<void> {
    await take(upload).catch(async (error) => {
      // Another process may have decided it and removed the bytes while they were read here.
      if (!(error instanceof AlreadyDecided) && (await isStillOpen(upload.id))) throw error;
    });
    // If this fails, the sweep removes the bytes.
    await partials.remove(upload.id).catch(() => undefined);
  }

  return {
    /** Decides a complete upload. @throws server errors, after which a call may be repeated */
    decide: (upload: UploadRow): Promise<void> => running.share(upload.id, () => finish(upload)),

    settled: running.settled,
  };
}
