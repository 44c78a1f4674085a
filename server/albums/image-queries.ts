/** Changes which images an album shows, and their order. */
import { and, count, eq, max, sql } from 'drizzle-orm';
import { albumImages } from '../../drizzle/schema.ts';
import type { ClientDatabase, Database, Transaction } from '../database/connect.ts';
import { inTime } from '../database/driver/prepared.ts';
import { type Reach, reachableEntries, reachableImages } from '../database/statements/access.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { AlbumFull, InvalidRequest } from '../errors.ts';
import { GAP, positionsBetween } from './positions.ts';
import { mustHave } from './queries.ts';
import { notInAlbum } from './refusals.ts';

type AlbumLimits = {
  /** Images in one album. */
  album: number;
  /** Images in all albums of an account; an image counts once per album. */
  account: number;
};

export const defaultLimits: AlbumLimits = { album: 100_000, account: 1_000_000 };

/** All ids as one parameter. */
const uuids = (ids: string[]) => sql`${`{${ids.join(',')}}`}::uuid[]`;

const inAlbum = (ownerId: string, albumId: string) =>
  and(eq(albumImages.ownerId, ownerId), eq(albumImages.albumId, albumId));

async function renumber(tx: Transaction, ownerId: string, albumId: string): Promise<void> {
  await tx.execute(sql`
    update album_images set position = placed.number * ${GAP}::bigint
    from (
      select image_id, row_number() over (order by position, image_id) as number from album_images
      where owner_id = ${ownerId} and album_id = ${albumId}
    ) placed
    where album_images.album_id = ${albumId} and album_images.image_id = placed.image_id`);
}

/** @param look returns the two neighbours' positions; called again after all positions were renumbered */
async function freePositions(
  tx: Transaction,
  { ownerId, albumId, count: wanted }: { ownerId: string; albumId: string; count: number },
  look: () => Promise<[low: number | undefined, high: number | undefined]>,
): Promise<number[]> {
  const found = positionsBetween(...(await look()), wanted);
  if (found) return found;
  await renumber(tx, ownerId, albumId);
  return positionsBetween(...(await look()), wanted) ?? [];
}

type Addition = { added: number; present: number; unknown: string[] };

type NewEntries = { reach: Reach; albumId: string; ids: string[]; limits: AlbumLimits };

/** Images already there keep their position; waiting ones are unknown. @param ids in lower case, distinct @throws NotFound, AlbumFull, Unauthorized */
export async function addImages(db: Database, { reach, albumId, ids, limits }: NewEntries): Promise<Addition> {
  const { ownerId } = reach;
  return underOwnerLock(db, ownerId, async (tx) => {
    await mustHave(tx, ownerId, albumId);
    const rows = await tx.execute<{ id: string; present: boolean }>(sql`
      select images.id, entry.image_id is not null as present
      from images left join album_images entry on entry.image_id = images.id and entry.album_id = ${albumId}
      where ${reachableImages(reach)} and not images.waiting and images.id = any(${uuids(ids)})`);
    const known = new Map(rows.map(({ id, present }) => [id, present]));
    const fresh = ids.filter((id) => known.get(id) === false);
    if (fresh.length > 0) await insertAtEnd(tx, { ownerId, albumId, ids: fresh, limits });
    const unknown = ids.filter((id) => !known.has(id));
    return { added: fresh.length, present: known.size - fresh.length, unknown };
  });
}

type Entries = { ownerId: string; albumId: string; ids: string[]; limits: AlbumLimits };

type Uploaded = {
  /** Images that the upload has stored, and those that an earlier one had stored. */
  stored: string[];
  present: string[];
};

/** @returns those of the images that the album contains */
async function containedOf(tx: Transaction, ownerId: string, albumId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: albumImages.imageId })
    .from(albumImages)
    .where(and(inAlbum(ownerId, albumId), sql`${albumImages.imageId} = any(${uuids(ids)})`));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Puts the images of an upload into an album, in the transaction that stores them, which has locked their owner's row.
 * @throws NotFound if the album was deleted meanwhile; AlbumFull
 */
export async function addUploaded(
  tx: Transaction,
  { ownerId, albumId, stored, present }: { ownerId: string; albumId: string } & Uploaded,
): Promise<void> {
  await mustHave(tx, ownerId, albumId);
  const contained = await containedOf(tx, ownerId, albumId, present);
  const ids = [...new Set([...present, ...stored])].filter((id) => !contained.has(id));
  if (ids.length > 0) await insertAtEnd(tx, { ownerId, albumId, ids, limits: defaultLimits });
}

/** @throws AlbumFull */
async function insertAtEnd(tx: Transaction, { ownerId, albumId, ids, limits }: Entries): Promise<void> {
  await refuseFull(tx, ownerId, albumId, ids.length, limits);
  const positions = await freePositions(tx, { ownerId, albumId, count: ids.length }, async () => {
    const [row] = await tx
      .select({ last: max(albumImages.position) })
      .from(albumImages)
      .where(inAlbum(ownerId, albumId));
    return [row?.last ?? undefined, undefined];
  });
  await tx.execute(sql`
    insert into album_images (album_id, image_id, owner_id, position)
    select ${albumId}::uuid, image.id, ${ownerId}::uuid, image.position
    from unnest(${uuids(ids)}, ${`{${positions.join(',')}}`}::bigint[]) as image (id, position)`);
}

async function refuseFull(
  tx: Transaction,
  ownerId: string,
  albumId: string,
  more: number,
  limits: AlbumLimits,
): Promise<void> {
  const [album] = await tx.select({ held: count() }).from(albumImages).where(inAlbum(ownerId, albumId));
  if ((album?.held ?? 0) + more > limits.album) {
    throw new AlbumFull(`An album has at most ${limits.album} images. Make another one for the rest.`);
  }
  const [all] = await tx.select({ held: count() }).from(albumImages).where(eq(albumImages.ownerId, ownerId));
  if ((all?.held ?? 0) + more > limits.account) {
    throw new AlbumFull(`The albums of an account have at most ${limits.account} images together.`);
  }
}

/** Removes images from the album, not from the gallery. @returns how many @throws NotFound, Unauthorized */
export async function removeImages(db: Database, ownerId: string, albumId: string, ids: string[]): Promise<number> {
  return underOwnerLock(db, ownerId, async (tx) => {
    await mustHave(tx, ownerId, albumId);
    const gone = await tx
      .delete(albumImages)
      .where(and(inAlbum(ownerId, albumId), sql`${albumImages.imageId} = any(${uuids(ids)})`))
      .returning({ id: albumImages.imageId });
    return gone.length;
  });
}

type Move = { ownerId: string; albumId: string; ids: string[]; before: string | null };

/** @param move.before null for the end @throws NotFound if one is missing: then none is moved; InvalidRequest, Unauthorized */
export async function moveImages(db: Database, { ownerId, albumId, ids, before }: Move): Promise<void> {
  if (before !== null && ids.includes(before)) throw new InvalidRequest('An image cannot be moved before itself.');
  await underOwnerLock(db, ownerId, async (tx) => {
    await mustHave(tx, ownerId, albumId);
    const some = sql`${albumImages.imageId} = any(${uuids(before === null ? ids : [...ids, before])})`;
    const [there] = await tx
      .select({ held: count() })
      .from(albumImages)
      .where(and(inAlbum(ownerId, albumId), some));
    if (there?.held !== ids.length + (before === null ? 0 : 1)) throw notInAlbum();
    const positions = await freePositions(tx, { ownerId, albumId, count: ids.length }, () =>
      boundsOf(tx, { ownerId, albumId, ids, before }),
    );
    await tx.execute(sql`
      update album_images set position = placed.position
      from unnest(${uuids(ids)}, ${`{${positions.join(',')}}`}::bigint[]) as placed (id, position)
      where album_images.album_id = ${albumId} and album_images.owner_id = ${ownerId}
        and album_images.image_id = placed.id`);
  });
}

/** Positions of the image that the others go before, and of its present predecessor. */
async function boundsOf(
  tx: Transaction,
  { ownerId, albumId, ids, before }: Move,
): Promise<[number | undefined, number | undefined]> {
  const earlier =
    before === null
      ? sql`true`
      : sql`(position, image_id) < (select position, image_id from album_images
          where album_id = ${albumId} and image_id = ${before})`;
  const [low] = await tx.execute<{ position: string }>(sql`
    select position from album_images
    where owner_id = ${ownerId} and album_id = ${albumId} and image_id <> all(${uuids(ids)}) and ${earlier}
    order by position desc, image_id desc limit 1`);
  const [high] =
    before === null
      ? []
      : await tx
          .select({ position: albumImages.position })
          .from(albumImages)
          .where(and(inAlbum(ownerId, albumId), eq(albumImages.imageId, before)));
  return [low === undefined ? undefined : Number(low.position), high?.position];
}

/** The albums that contain some images, with how many of them each contains. */
export async function albumsHolding(
  db: ClientDatabase,
  reach: Reach,
  ids: string[],
): Promise<{ id: string; count: number }[]> {
  return inTime(db, (bounded) =>
    bounded
      .select({ id: albumImages.albumId, count: count() })
      .from(albumImages)
      .where(and(reachableEntries(reach), sql`${albumImages.imageId} = any(${uuids(ids)})`))
      .groupBy(albumImages.albumId),
  );
}
