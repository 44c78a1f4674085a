/** Resumable uploads without HTTP. Only its owner can find an upload, and only the token that opened it. */

import type { IncomingMessage } from 'node:http';
import { validate as isUuid } from 'uuid';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Uploader } from '../../database/statements/access.ts';
import { OffsetMismatch, PartTooLong, TooManyParts } from '../../errors.ts';
import type { Client } from '../admission.ts';
import { createFinishing, type FinishingParts, isDecided, isWhole } from './finishing.ts';
import { createOpening, type OpeningParts } from './opening.ts';
import { deleteUpload, findUpload } from './queries.ts';
import { createReceiving, noSuchUpload } from './receiving.ts';
import { createSweep } from './sweep.ts';
import { createUploadLocks } from './upload-locks.ts';

/** Pieces of an upload: parts of 256 KiB, plus 200 aborted ones. Each rewrites the list in the row. @param size bytes */
export const maxPiecesOf = (size: number): number => 200 + Math.ceil(size / 2 ** 18);

type Part = { offset: number; length: number | undefined; body: IncomingMessage };

/** @throws OffsetMismatch, PartTooLong, TooManyParts */
function checkPart(upload: UploadRow, { offset, length = 0 }: Part): void {
  const { received, size, pieces } = upload;
  if (offset !== received) throw new OffsetMismatch(String(received));
  if (received + length > size) throw new PartTooLong();
  if (!isWhole(upload) && pieces.length >= maxPiecesOf(size)) throw new TooManyParts(String(pieces.length));
}

export type Uploads = ReturnType<typeof createUploads>;

export function createUploads(parts: OpeningParts & FinishingParts) {
  const { db, partials, maxFileSize } = parts;
  const locks = createUploadLocks();
  const receive = createReceiving(parts);
  const { decide, settled } = createFinishing(parts);

  /** @throws NotFound */
  async function find(access: Uploader, id: string): Promise<UploadRow> {
    const row = isUuid(id) ? await findUpload(db, access, id) : undefined;
    if (!row) throw noSuchUpload();
    return row;
  }

  /** @throws NotFound; server errors */
  async function decided(upload: UploadRow, client: Client): Promise<UploadRow> {
    if (isDecided(upload) || !isWhole(upload)) return upload;
    await decide(upload, client);
    return find({ ownerId: upload.ownerId, tokenId: null }, upload.id);
  }

  return {
    maxFileSize,

    open: createOpening(parts),

    /** The current row, after aborting any writer. @throws NotFound */
    async progress(access: Uploader, id: string): Promise<UploadRow> {
      const upload = await find(access, id);
      await locks.abort(upload.id);
      return find(access, id);
    },

    /** The last part decides it. @throws NotFound, OffsetMismatch, PartTooLong, TooManyParts, UploadLocked, BrokenUpload */
    async append(access: Uploader, id: string, part: Part, client: Client): Promise<UploadRow> {
      const found = await find(access, id);
      const row = await locks.withLock(found.id, async (signal) => {
        const upload = await find(access, id);
        checkPart(upload, part);
        return isWhole(upload) ? upload : receive(upload, part.body, signal);
      });
      return decided(row, client);
    },

    /** The row, after the decision if the upload is complete. @throws NotFound */
    outcome: async (access: Uploader, id: string, client: Client): Promise<UploadRow> =>
      decided(await find(access, id), client),

    /** Deletes the upload, not its stored image. @throws NotFound */
    async cancel(access: Uploader, id: string): Promise<void> {
      const upload = await find(access, id);
      await locks.abort(upload.id);
      await deleteUpload(db, upload.id);
      await partials.remove(upload.id);
    },

    sweep: createSweep({ db, partials, decide }),

    settled,
  };
}
