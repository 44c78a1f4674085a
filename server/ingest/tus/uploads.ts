/** Resumable uploads without HTTP. Only its owner can find an upload. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { validate as isUuid } from 'uuid';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import {
  EmptyFile,
  fileTooLarge,
  NoSpace,
  OffsetMismatch,
  PartTooLong,
  TooManyParts,
  TooManyUploads,
} from '../../errors.ts';
import type { Partials } from '../../storage/partials.ts';
import { createFinishing, isDecided, isWhole, type TakeFile } from './finishing.ts';
import {
  advance,
  type Claimed,
  decideRefused,
  decideStored,
  deleteExpired,
  deleteUndecided,
  deleteUpload,
  findUpload,
  leftWhole,
  openUpload,
  undecidedOf,
} from './queries.ts';
import { createReceiving, noSuchUpload } from './receiving.ts';
import { createSweep } from './sweep.ts';
import { createUploadLocks } from './upload-locks.ts';

/** Open uploads of an account. */
const maxOpen = 200;

/**
 * Maximum pieces of an upload: parts of 256 KiB, plus 200 aborted ones. Each piece rewrites the list in the row.
 * @param size bytes
 */
export const maxPiecesOf = (size: number): number => 200 + Math.ceil(size / 2 ** 18);

export type UploadsParts = {
  db: Database;
  partials: Partials;
  /** Bytes free for uploads on this machine's disks. */
  room: () => Promise<number>;
  takeFile: TakeFile;
  cleanName: (sent: string) => string;
  /** An error if the bytes exceed the quota of an account with this usage. */
  noRoomFor: (size: number, claimed: Claimed) => Error | undefined;
  /** Bytes. */
  maxFileSize: number;
};

export type Uploads = ReturnType<typeof createUploads>;

export function createUploads(parts: UploadsParts) {
  const { db, partials, takeFile, cleanName, noRoomFor, maxFileSize } = parts;
  const holds = createUploadLocks();
  const receive = createReceiving({ partials, advance: advance.bind(undefined, db) });
  const { decide, settled } = createFinishing({
    partials,
    takeFile,
    decideStored,
    decideRefused: decideRefused.bind(undefined, db),
    forget: deleteUndecided.bind(undefined, db),
    isStillOpen: async (id) => (await undecidedOf(db, [id])).has(id),
  });

  /** @throws NotFound */
  async function find(ownerId: string, id: string): Promise<UploadRow> {
    const row = isUuid(id) ? await findUpload(db, ownerId, id) : undefined;
    if (!row) throw noSuchUpload();
    return row;
  }

  /** @throws NotFound; server errors */
  async function decided(upload: UploadRow): Promise<UploadRow> {
    if (isDecided(upload) || !isWhole(upload)) return upload;
    await decide(upload);
    return find(upload.ownerId, upload.id);
  }

  return {
    maxFileSize,

    /** @throws FileTooLarge, EmptyFile, QuotaExceeded, TooManyUploads, NoSpace */
    async open(ownerId: string, filename: string, size: number): Promise<UploadRow> {
      if (size > maxFileSize) throw fileTooLarge(maxFileSize);
      if (size === 0) throw new EmptyFile();
      const room = await parts.room();
      return openUpload(db, { id: randomUUID(), ownerId, filename: cleanName(filename), size }, (claimed) => {
        // Storing a file needs its size twice for a moment. Open uploads of other accounts do not count, so they cannot
        // block this one; a part that finds no room can be sent again.
        if (room < claimed.toCome + 2 * size) return new NoSpace();
        if (claimed.open < maxOpen) return noRoomFor(size, claimed);
        return Object.assign(new TooManyUploads(String(maxOpen)), { retryAfter: 60 });
      });
    },

    /** The current row, after aborting any writer. @throws NotFound */
    async progress(ownerId: string, id: string): Promise<UploadRow> {
      const upload = await find(ownerId, id);
      await holds.breakOff(upload.id);
      return find(ownerId, id);
    },

    /**
     * Appends a part at `offset`. After the last part the upload is decided before this resolves.
     * @throws NotFound, OffsetMismatch, PartTooLong, TooManyParts, UploadLocked, BrokenUpload
     */
    async append(
      ownerId: string,
      id: string,
      part: { offset: number; length: number | undefined; body: IncomingMessage },
    ) {
      const found = await find(ownerId, id);
      const row = await holds.hold(found.id, async (broken) => {
        const upload = await find(ownerId, id);
        if (part.offset !== upload.received) throw new OffsetMismatch(String(upload.received));
        if (upload.received + (part.length ?? 0) > upload.size) throw new PartTooLong();
        if (isWhole(upload)) return upload;
        if (upload.pieces.length >= maxPiecesOf(upload.size)) throw new TooManyParts(String(upload.pieces.length));
        return receive(upload, part.body, broken);
      });
      return decided(row);
    },

    /** The row, after the decision if the upload is complete. @throws NotFound */
    outcome: async (ownerId: string, id: string): Promise<UploadRow> => decided(await find(ownerId, id)),

    /** Deletes the upload, not its stored image. @throws NotFound */
    async cancel(ownerId: string, id: string): Promise<void> {
      const upload = await find(ownerId, id);
      await holds.breakOff(upload.id);
      await deleteUpload(db, upload.id);
      await partials.remove(upload.id);
    },

    sweep: createSweep({
      partials,
      deleteExpired: deleteExpired.bind(undefined, db),
      undecidedOf: undecidedOf.bind(undefined, db),
      leftWhole: leftWhole.bind(undefined, db),
      decide,
    }),

    settled,
  };
}
