/** Receives one part: appends it to the upload, syncs it, then counts it. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { BrokenUpload, NotFound, OffsetMismatch, PartTooLong } from '../../errors.ts';
import type { PartialFile, Partials } from '../../storage/partials.ts';
import { assertFits } from '../guest-queries.ts';
import { advance } from './queries.ts';

/** Maximum bytes of a part that a killed server loses. */
const syncEvery = 2 ** 22;

type Parts = { db: Database; partials: Partials };

export const noSuchUpload = () => new NotFound('There is no such upload. It may have expired; begin it again.');

class ConnectionLost extends Error {}

/** Chunks of a request body. Returning early keeps the request open, so that a refusal reaches the client. */
async function* chunksOf(source: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new ConnectionLost('the connection was lost', { cause });
  }
}

export function createReceiving({ db, partials }: Parts) {
  async function settle(file: PartialFile, upload: UploadRow, to: number): Promise<UploadRow> {
    if (to === upload.received) return upload;
    const row = await advance(db, upload, to, await file.sync());
    if (!row) throw new OffsetMismatch(String(upload.received));
    const { guestId } = row;
    // A complete upload is judged when it is stored.
    if (guestId && to < row.size) await assertFits(db, { ...row, guestId });
    return row;
  }

  async function write(file: PartialFile, upload: UploadRow, source: IncomingMessage): Promise<UploadRow> {
    let row = upload;
    let at = row.received;
    try {
      for await (const chunk of chunksOf(source)) {
        if (at + chunk.length > row.size) throw new PartTooLong();
        await file.write(chunk);
        at += chunk.length;
        if (at - row.received >= syncEvery) row = await settle(file, row, at);
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      // The client continues after the received bytes.
      await settle(file, row, at);
      throw new BrokenUpload(error.message);
    }
    return settle(file, row, at);
  }

  /** @param signal ends the part, keeping received bytes @throws BrokenUpload, PartTooLong, OffsetMismatch, storage errors; for guests as `assertFits` */
  return async (upload: UploadRow, source: IncomingMessage, signal: AbortSignal): Promise<UploadRow> => {
    // The bytes were lost with a disk.
    if (!(await partials.isThere(upload, 'last'))) throw noSuchUpload();
    const file = await partials.open(upload);
    try {
      addAbortSignal(signal, source);
      return await write(file, upload, source);
    } finally {
      await file.close();
    }
  };
}
