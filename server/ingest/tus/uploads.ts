/** Uploads in pieces, without HTTP: opened, continued, decided, cancelled, swept. Each belongs to an owner; to others it is not there. */

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

/** Of one account, at once. */
const maxOpen = 200;

/**
 * Pieces that the row of an upload may name, which is written anew with each: parts of 256 KiB (routes.ts), and a good many
 * that broke off.
 * @param size bytes
 */
export const maxPiecesOf = (size: number): number => 200 + Math.ceil(size / 2 ** 18);

export type UploadsParts = {
  db: Database;
  partials: Partials;
  /** Bytes that uploads may still take on this machine's disks. */
  room: () => Promise<number>;
  takeFile: TakeFile;
  /** A file's name as it is kept, of one as it was sent. */
  cleanName: (sent: string) => string;
  /** Why an account that holds this much takes no more bytes; undefined where it does. */
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

  /** @throws NotFound; what the server failed at */
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
        // A file stands twice for the moment in which it passes into the collection. What others have announced does not
        // count: nobody's announcements keep anybody else out, and a part for which there is no room can be sent again.
        if (room < claimed.toCome + 2 * size) return new NoSpace();
        if (claimed.open < maxOpen) return noRoomFor(size, claimed);
        return Object.assign(new TooManyUploads(String(maxOpen)), { retryAfter: 60 });
      });
    },

    /** How far it has come. Whoever still writes to it is broken off. @throws NotFound */
    async progress(ownerId: string, id: string): Promise<UploadRow> {
      const upload = await find(ownerId, id);
      await holds.breakOff(upload.id);
      return find(ownerId, id);
    },

    /**
     * One part, from `offset` on; where it is the last, what becomes of the whole is decided before this resolves.
     * @param length bytes that the part announces; undefined where it does not
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

    /** What became of it, waiting for the decision where all has come. @throws NotFound */
    outcome: async (ownerId: string, id: string): Promise<UploadRow> => decided(await find(ownerId, id)),

    /** Forgets it; an image that it has become stays. @throws NotFound */
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

    /** Resolves once nothing is being decided. */
    settled,
  };
}
