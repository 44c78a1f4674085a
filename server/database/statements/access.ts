import { and, eq, type SQL, sql } from 'drizzle-orm';
import { albumImages, images, uploads } from '../../../drizzle/schema.ts';
import type { Scope } from '../../contract.ts';

export type Guest = { id: string; linkId: string };

/** What a call may see and change. */
export type Access = {
  ownerId: string;
  /** The API token of the call; null for a session. */
  tokenId: string | null;
  /** What the API token may do; null for a session. */
  scopes: readonly Scope[] | null;
  /** The only album, with its images, that the call reaches; null for everything of the owner. */
  albumId: string | null;
  /** How long images may exist that the call uploads, for example `7d`; null for ever. */
  imagesExpireIn: string | null;
  /** The guest of a collect link who calls, and who reaches nothing but uploads of their own. */
  guest?: Guest;
};

/** All images of an owner, or those in one of their albums. */
export type Reach = Pick<Access, 'ownerId' | 'albumId'>;

export const everythingOf = (ownerId: string): Reach => ({ ownerId, albumId: null });

/** Condition on `images`. */
export const reachableImages = ({ ownerId, albumId }: Reach): SQL | undefined =>
  and(
    eq(images.ownerId, ownerId),
    albumId === null
      ? undefined
      : sql`exists (select 1 from album_images where album_id = ${albumId} and image_id = ${images.id})`,
  );

/** Who continues an upload. */
export type Uploader = Pick<Access, 'ownerId' | 'tokenId' | 'guest'>;

/** Condition on `uploads`: a token or a guest reaches only those that they opened. */
export const reachableUploads = ({ ownerId, tokenId, guest }: Uploader): SQL | undefined =>
  and(
    eq(uploads.ownerId, ownerId),
    tokenId === null ? undefined : eq(uploads.tokenId, tokenId),
    guest && eq(uploads.guestId, guest.id),
  );

/** Condition on `album_images`. */
export const reachableEntries = ({ ownerId, albumId }: Reach): SQL | undefined =>
  and(eq(albumImages.ownerId, ownerId), albumId === null ? undefined : eq(albumImages.albumId, albumId));
