/** The album that an upload goes into. */
import { validate as isUuid } from 'uuid';
import type { ImageRow } from '../../drizzle/schema.ts';
import { addUploaded } from '../albums/image-queries.ts';
import { mustHave } from '../albums/queries.ts';
import { noSuchAlbum } from '../albums/refusals.ts';
import type { Database } from '../database/connect.ts';
import type { Reach } from '../database/statements/access.ts';
import type { Alongside } from './insertion-queries.ts';

/** @param asked the album that the request names @returns null for none @throws NotFound for an album out of reach */
export function targetAlbum({ albumId }: Reach, asked?: string): string | null {
  const target = asked?.toLowerCase() ?? albumId;
  const isOutOfReach = albumId !== null && target !== albumId;
  if (isOutOfReach || (target !== null && !isUuid(target))) throw noSuchAlbum();
  return target;
}

/** @throws NotFound if the account has no such album */
export async function assertAlbum(db: Database, { ownerId, albumId }: Reach): Promise<void> {
  if (albumId !== null) await mustHave(db, ownerId, albumId);
}

/** Adds the images in the transaction that stores them, so that a crash leaves both or neither. */
export function intoAlbum({ ownerId, albumId }: Reach): Alongside | undefined {
  if (albumId === null) return undefined;
  const idsOf = (rows: ImageRow[]) => rows.map(({ id }) => id);
  return (tx, stored, present) => addUploaded(tx, { ownerId, albumId, stored: idsOf(stored), present: idsOf(present) });
}
