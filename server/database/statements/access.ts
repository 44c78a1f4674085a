import { and, eq, type SQL, sql } from 'drizzle-orm';
import { albumImages, images, uploads } from '../../../drizzle/schema.ts';
import type { Scope } from '../../contract.ts';

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

/** Condition on `uploads`: a token reaches only those that it opened. */
export const reachableUploads = ({ ownerId, tokenId }: Pick<Access, 'ownerId' | 'tokenId'>): SQL | undefined =>
  and(eq(uploads.ownerId, ownerId), tokenId === null ? undefined : eq(uploads.tokenId, tokenId));

/** Condition on `album_images`. */
export const reachableEntries = ({ ownerId, albumId }: Reach): SQL | undefined =>
  and(eq(albumImages.ownerId, ownerId), albumId === null ? undefined : eq(albumImages.albumId, albumId));
