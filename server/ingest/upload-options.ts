/** What an upload may request in its address or, as a resumable upload, in its metadata. */
import type { UploadRow } from '../../drizzle/schema.ts';
import type { Access } from '../database/statements/access.ts';
import { InvalidRequest } from '../errors.ts';
import { type DeleteKeys, hashOfDeleteKey } from '../images/links/delete-keys.ts';
import { durationOf, durationWithin, IMAGE_LIFETIME } from '../lib/duration.ts';
import { keepingOfGuest } from './guest-queries.ts';
import type { Keeping } from './ingest.ts';
import { intoAlbum, targetAlbum } from './target-album.ts';

/** As the row of a resumable upload stores it. */
export type UploadTarget = Pick<UploadRow, 'ownerId' | 'albumId' | 'expiresIn' | 'deleteLink' | 'guestId'>;

export const optionNames = ['album', 'expires_in', 'delete_link'] as const;

export type SentOptions = { [Name in (typeof optionNames)[number]]?: unknown };

/** @throws InvalidRequest for a repeated option */
function textOf(name: keyof SentOptions, sent: SentOptions): string | undefined {
  const value = sent[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidRequest(`Send "${name}" only once.`);
}

/** The shorter of what the upload requests and what its token allows. @throws InvalidRequest */
function lifetimeOf(requested: string | undefined, allowed: string | null): string | null {
  if (requested === undefined) return allowed;
  const ms = durationWithin('expires_in', requested, IMAGE_LIFETIME);
  return allowed !== null && ms > (durationOf(allowed) ?? 0) ? allowed : requested;
}

/** @throws InvalidRequest */
function flagOf(name: keyof SentOptions, sent: string | undefined): boolean {
  if (sent === undefined || sent === '0' || sent === 'false') return false;
  if (sent === '1' || sent === 'true') return true;
  throw new InvalidRequest(`"${name}" must be 1 or 0.`);
}

/** @throws InvalidRequest; NotFound for an album out of reach; assertAlbum looks for the album */
export function readOptions(access: Access, sent: SentOptions): UploadTarget {
  const { ownerId, guest } = access;
  // The owner of a collect link decides everything about what guests upload.
  if (guest) return { ownerId, albumId: null, expiresIn: null, deleteLink: false, guestId: guest.id };
  return {
    ownerId,
    guestId: null,
    albumId: targetAlbum(access, textOf('album', sent)),
    expiresIn: lifetimeOf(textOf('expires_in', sent), access.imagesExpireIn),
    deleteLink: flagOf('delete_link', textOf('delete_link', sent)),
  };
}

/** How the ingest keeps the images of an upload. */
export function keepingOf(target: UploadTarget, { keyOf }: Pick<DeleteKeys, 'keyOf'>): Keeping {
  if (target.guestId !== null) return keepingOfGuest(target.guestId);
  return {
    lifetime: target.expiresIn === null ? undefined : durationOf(target.expiresIn),
    deleteHashOf: target.deleteLink ? (imageId) => hashOfDeleteKey(keyOf(imageId)) : undefined,
    alongside: intoAlbum(target),
  };
}
