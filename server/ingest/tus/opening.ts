/** Opens an upload if its size, the quota, the account's open uploads and the disks allow it. */
import { randomUUID } from 'node:crypto';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import type { Access } from '../../database/statements/access.ts';
import { EmptyFile, fileTooLarge, GalleryFull, NoSpace, TooManyUploads } from '../../errors.ts';
import { cleanFilename } from '../../images/filename.ts';
import { noRoomFor, type Quota, quotaOf } from '../../images/quota.ts';
import { assertGuestTurn, refuseOpening } from '../guest-queries.ts';
import { assertAlbum } from '../target-album.ts';
import { uploadKeyOf } from '../upload-keys.ts';
import { readOptions } from '../upload-options.ts';
import type { Metadata } from './metadata.ts';
import { type Claimed, openUpload } from './queries.ts';

/** Open uploads of an account, without those of its guests, and of a guest. */
const maxOpen = 200;
const maxOpenOfGuest = 10;

export type OpeningParts = {
  db: Database;
  /** Bytes free for uploads on this machine's disks. */
  room: () => Promise<number>;
  /** The server's. */
  quota: Quota;
  /** Bytes. */
  maxFileSize: number;
};

export function createOpening({ db, room, quota, maxFileSize }: OpeningParts) {
  /**
   * @throws FileTooLarge, EmptyFile, QuotaExceeded, TooManyUploads, NoSpace, InvalidRequest; NotFound for an unknown album;
   *   for guests also CollectEnded, CollectFull, GalleryFull, GuestNeeded, TooManyRequests
   */
  return async (
    access: Access,
    { filename = '', upload_key: key, ...sent }: Metadata,
    size: number,
  ): Promise<UploadRow> => {
    const target = readOptions(access, sent);
    await assertAlbum(db, target);
    if (size > maxFileSize) throw fileTooLarge(maxFileSize);
    if (size === 0) throw new EmptyFile();
    const free = await room();
    const { tokenId, guest } = access;
    const uploadKey = key === undefined ? null : uploadKeyOf(access, key, 'upload_key');
    const upload = { id: randomUUID(), ...target, tokenId, uploadKey, filename: cleanFilename(filename, ''), size };
    const most = guest ? maxOpenOfGuest : maxOpen;
    const refuse = async (claimed: Claimed, tx: Database | Transaction) => {
      // Storing a file needs its size twice for a moment. Open uploads of other accounts do not count, so they cannot
      // block this one; a part that finds no room can be sent again.
      if (free < claimed.toCome + 2 * size) return new NoSpace();
      if (claimed.open >= most) return Object.assign(new TooManyUploads(String(most)), { retryAfter: 60 });
      const isFull = noRoomFor(size, claimed, quotaOf(claimed, quota));
      const { guestId } = target;
      if (guestId === null) return isFull;
      return (await refuseOpening(tx, { guestId, uploadKey, size })) ?? (isFull && new GalleryFull());
    };
    if (guest) assertGuestTurn(guest.linkId);
    return openUpload(db, upload, refuse, guest?.linkId);
  };
}
