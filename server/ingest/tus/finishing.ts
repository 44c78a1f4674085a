/**
 * What becomes of an upload whose bytes have all come: the same ingest as that of a form's file, once, however often it is
 * asked for and however often the server is stopped on the way. The row is decided in the transaction that stores the image.
 */
import type { Readable } from 'node:stream';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Transaction } from '../../database/connect.ts';
import { createSingleFlight } from '../../lib/single-flight.ts';
import type { Partials } from '../../storage/partials.ts';

/** Another process has decided it meanwhile, or it was cancelled. */
class AlreadyDecided extends Error {}

export type TakeFile = (file: {
  ownerId: string;
  filename: string;
  source: Readable;
  /** Done in the transaction that stores the image; its error undoes both. */
  alongside: (tx: Transaction, imageId: string) => Promise<void>;
}) => Promise<{ imageId: string } | { refused: Error & { code: string } }>;

type Parts = {
  partials: Partials;
  takeFile: TakeFile;
  decideStored: (tx: Transaction, id: string, imageId: string) => Promise<boolean>;
  decideRefused: (id: string, refusal: { code: string; message: string }) => Promise<void>;
  /** Where it is not decided. */
  forget: (id: string) => Promise<void>;
  isStillOpen: (id: string) => Promise<boolean>;
};

export const isDecided = (upload: UploadRow): boolean => upload.imageId !== null || upload.refusal !== null;
export const isWhole = (upload: UploadRow): boolean => upload.received === upload.size;

export function createFinishing({ partials, takeFile, decideStored, decideRefused, forget, isStillOpen }: Parts) {
  const running = createSingleFlight<void>();

  async function take(upload: UploadRow): Promise<void> {
    const { id, ownerId, filename } = upload;
    // Its bytes were lost with a disk: it can only be begun again.
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
      // Another process that was at it too has decided it, and removed the bytes that were being read here.
      if (!(error instanceof AlreadyDecided) && (await isStillOpen(upload.id))) throw error;
    });
    // What stays by a failure here, the sweep removes.
    await partials.remove(upload.id).catch(() => undefined);
  }

  return {
    /** Decides a whole upload that is not decided. @throws what the server itself failed at; then it may be asked again */
    decide: (upload: UploadRow): Promise<void> => running.share(upload.id, () => finish(upload)),

    settled: running.settled,
  };
}
