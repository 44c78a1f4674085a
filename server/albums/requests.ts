import { Type } from 'typebox';
import { perAccount } from '../http/limits/rate-limit.ts';
import { noSuchAlbum } from './refusals.ts';

const uuidPattern = '^[\\da-fA-F]{8}-(?:[\\da-fA-F]{4}-){3}[\\da-fA-F]{12}$';
const uuidForm = new RegExp(uuidPattern);

export const ImageId = Type.String({ pattern: uuidPattern });

/** In one call. */
const MAX_IDS = 5000;
export const ImageIds = Type.Array(ImageId, { minItems: 1, maxItems: MAX_IDS });

/** Bytes: room for MAX_IDS ids with spaces around them. */
export const bodyLimit = 256 * 1024;

const minute = 60_000;
/** A route's `config`: ten changes a second, more than people make and less than a script in a loop. */
export const changing = perAccount('albums', 600, minute);

/** The same limit for calls that change nothing. */
export const looking = perAccount('albums-holding', 600, minute);

export const AlbumId = Type.Object({ id: Type.String() });

/** @throws NotFound for an invalid id */
export function albumIdOf({ id }: { id: string }): string {
  if (!uuidForm.test(id)) throw noSuchAlbum();
  return id.toLowerCase();
}

/** Without duplicates, in the given order. */
export const eachOnce = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
