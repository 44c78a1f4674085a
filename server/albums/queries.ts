/** Changes albums themselves; image-queries.ts changes their images. */
import { and, asc, count, eq, min, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { albumImages, albums } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { TooManyAlbums } from '../errors.ts';
import { foldText } from '../lib/fold.ts';
import { GAP, positionsBetween } from './positions.ts';
import { noSuchAlbum, notInAlbum } from './refusals.ts';

/** Albums of an account: they are listed all at once. */
export const MAX_ALBUMS = 1000;

const named = (name: string) => ({ name, searchName: foldText(name) });

const own = (ownerId: string, id: string) => and(eq(albums.ownerId, ownerId), eq(albums.id, id));

async function renumber(tx: Transaction, ownerId: string): Promise<void> {
  await tx.execute(sql`
    update albums set position = placed.number * ${GAP}::bigint
    from (select id, row_number() over (order by position, id) as number from albums where owner_id = ${ownerId}) placed
    where albums.owner_id = ${ownerId} and albums.id = placed.id`);
}

/** Inserts an album before all others. @returns its id @throws TooManyAlbums, Unauthorized */
export async function insertAlbum(db: Database, ownerId: string, name: string): Promise<string> {
  return underOwnerLock(db, ownerId, async (tx) => {
    const ofOwner = eq(albums.ownerId, ownerId);
    const look = () =>
      tx
        .select({ held: count(), first: min(albums.position) })
        .from(albums)
        .where(ofOwner);
    let [{ held, first } = { held: 0, first: null }] = await look();
    if (held >= MAX_ALBUMS) throw new TooManyAlbums(String(MAX_ALBUMS));
    let positions = positionsBetween(undefined, first ?? undefined, 1);
    if (!positions) {
      await renumber(tx, ownerId);
      [{ held, first } = { held, first }] = await look();
      positions = positionsBetween(undefined, first ?? undefined, 1);
    }
    const id = uuidv7();
    await tx.insert(albums).values({ id, ownerId, ...named(name), position: positions?.[0] ?? 0 });
    return id;
  });
}

/** @param ordinal from 1; values beyond the last mean the last */
async function moveAlbum(tx: Transaction, ownerId: string, id: string, ordinal: number): Promise<void> {
  const look = async () => {
    const rows = await tx
      .select({ id: albums.id, position: albums.position })
      .from(albums)
      .where(eq(albums.ownerId, ownerId))
      .orderBy(asc(albums.position), asc(albums.id));
    const others = rows.filter((row) => row.id !== id);
    const index = Math.min(ordinal - 1, others.length);
    return positionsBetween(others[index - 1]?.position, others[index]?.position, 1);
  };
  let positions = await look();
  if (!positions) {
    await renumber(tx, ownerId);
    positions = await look();
  }
  await tx
    .update(albums)
    .set({ position: positions?.[0] ?? 0 })
    .where(own(ownerId, id));
}

/** @param imageId null removes the owner's choice @throws NotFound if the album has no such image */
async function setCover(tx: Transaction, ownerId: string, id: string, imageId: string | null): Promise<void> {
  const ofAlbum = and(eq(albumImages.ownerId, ownerId), eq(albumImages.albumId, id));
  await tx
    .update(albumImages)
    .set({ isCover: false })
    .where(and(ofAlbum, eq(albumImages.isCover, true)));
  if (imageId === null) return;
  const set = await tx
    .update(albumImages)
    .set({ isCover: true })
    .where(and(ofAlbum, eq(albumImages.imageId, imageId)))
    .returning({ id: albumImages.imageId });
  if (set.length === 0) throw notInAlbum();
}

type AlbumChanges = {
  name?: string | undefined;
  cover?: string | null | undefined;
  position?: number | undefined;
};

/** Makes all changes or none. @throws NotFound, Unauthorized */
export async function changeAlbum(
  db: Database,
  ownerId: string,
  id: string,
  { name, cover, position }: AlbumChanges,
): Promise<void> {
  await underOwnerLock(db, ownerId, async (tx) => {
    await mustHave(tx, ownerId, id);
    if (name !== undefined) await tx.update(albums).set(named(name)).where(own(ownerId, id));
    if (cover !== undefined) await setCover(tx, ownerId, id, cover);
    if (position !== undefined) await moveAlbum(tx, ownerId, id, position);
  });
}

/** @throws NotFound if this owner has no such album */
export async function mustHave(tx: Database | Transaction, ownerId: string, id: string): Promise<void> {
  const rows = await tx.select({ id: albums.id }).from(albums).where(own(ownerId, id));
  if (rows.length === 0) throw noSuchAlbum();
}

/** Deletes an album, not its images. @returns whether it existed */
export async function deleteAlbum(db: Database, ownerId: string, id: string): Promise<boolean> {
  return underOwnerLock(db, ownerId, async (tx) => {
    const gone = await tx.delete(albums).where(own(ownerId, id)).returning({ id: albums.id });
    return gone.length > 0;
  });
}
