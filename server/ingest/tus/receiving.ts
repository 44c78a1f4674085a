/** One part in: written where the upload ends, synced, and only then counted. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import type { UploadRow } from '../../../drizzle/schema.ts';
import { BrokenUpload, NotFound, OffsetMismatch, PartTooLong } from '../../errors.ts';
import type { PartialFile, Partials } from '../../storage/partials.ts';

/** Bytes that a killed server may forget of a part that is on its way. */
const syncEvery = 2 ** 22;

type Parts = {
  partials: Partials;
  advance: (upload: UploadRow, to: number, pieces: string[]) => Promise<UploadRow | undefined>;
};

export const noSuchUpload = () => new NotFound('There is no such upload. It may have expired; begin it again.');

class ConnectionLost extends Error {}

/** What a request brings. Not destroyed by whoever reads no further: a refusal has to reach whoever still sends. */
async function* chunksOf(source: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new ConnectionLost('the connection was lost', { cause });
  }
}

export function createReceiving({ partials, advance }: Parts) {
  /** What is written from `upload.received` to `to` is safe from now on. */
  async function settle(file: PartialFile, upload: UploadRow, to: number): Promise<UploadRow> {
    if (to === upload.received) return upload;
    const row = await advance(upload, to, await file.sync());
    if (!row) throw new OffsetMismatch(String(upload.received));
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
      // What has come is kept, and the client goes on from there.
      await settle(file, row, at);
      throw new BrokenUpload(error.message);
    }
    return settle(file, row, at);
  }

  /**
   * @param broken ends it, keeping what has come
   * @returns the upload's row as it is then
   * @throws BrokenUpload, PartTooLong, OffsetMismatch where another process has gone on with it; what the storage throws
   */
  return async (upload: UploadRow, source: IncomingMessage, broken: AbortSignal): Promise<UploadRow> => {
    // Its bytes were lost with a disk: there is nothing to go on from.
    if (!(await partials.isThere(upload, 'last'))) throw noSuchUpload();
    const file = await partials.open(upload);
    try {
      addAbortSignal(broken, source);
      return await write(file, upload, source);
    } finally {
      await file.close();
    }
  };
}
