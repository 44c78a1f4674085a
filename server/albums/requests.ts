import { Type } from 'typebox';
import type { Reach } from '../database/statements/access.ts';
import { NotFound } from '../errors.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withScope } from '../http/scopes.ts';
import { ImageId, uuidPattern } from '../images/image-ids.ts';
import { noSuchAlbum } from './refusals.ts';

const uuidForm = new RegExp(uuidPattern);

/** In one call. */
const MAX_IDS = 5000;
export const ImageIds = Type.Array(ImageId, { minItems: 1, maxItems: MAX_IDS });

/** Bytes: room for MAX_IDS ids with spaces around them. */
export const bodyLimit = 256 * 1024;

const minute = 60_000;
/** A route's `config`: ten changes a second, more than people make and less than a script in a loop. */
export const changing = { ...perAccount('albums', 600, minute), ...withScope('albums:write') };

/** The same limit for calls that change nothing. */
export const looking = { ...perAccount('albums-holding', 600, minute), ...withScope('albums:read') };

/** The limit of changes, for the album's public page. */
export const sharing = { ...changing, ...withScope('albums:share') };

export const AlbumId = Type.Object({ id: Type.String() });

/** Of every route of one album. */
export const ofAlbum = refuses(NotFound);

/** Every route of one album reads its id here. @throws NotFound for an invalid id, and for an album out of reach */
export function albumIdOf({ params, access }: { params: { id: string }; access: Reach }): string {
  const id = params.id.toLowerCase();
  if (!uuidForm.test(id) || id !== (access.albumId ?? id)) throw noSuchAlbum();
  return id;
}
