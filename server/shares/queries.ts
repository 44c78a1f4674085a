/** What owners do with their shares. public-queries.ts reads them for visitors. */
import { and, count, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { images, type ShareRow, shareImages, shares } from '../../drizzle/schema.ts';
import { mustHave } from '../albums/queries.ts';
import { type ClientDatabase, type Database, type Transaction, uniqueViolation } from '../database/connect.ts';
import { inTime } from '../database/driver/prepared.ts';
import { type Reach, reachableImages } from '../database/statements/access.ts';
import { anyOf } from '../database/statements/any-of.ts';
import { textArray } from '../database/statements/arrays.ts';
import { refuseHeldName } from '../database/statements/held-names.ts';
import { InvalidRequest, NameTaken, NotFound, ShortNameOpen, TooManyShares } from '../errors.ts';
import { isUnexpired, KEPT_DAYS } from '../images/expiry/queries.ts';

export type ShareLimits = {
  /** Shares of an account: they are listed all at once. */
  shares: number;
  /** Images in all selections of an account; an image counts once per share. */
  images: number;
};

export const defaultLimits: ShareLimits = { shares: 1000, images: 1_000_000 };

/** Ended shares of an account that still answer 410. */
const maxEnded = 1000;

export type ListedShare = ShareRow & { count: number };

const imageCount = (ownerId: string) =>
  sql<number>`case
    when shares.album_id is null then (select count(*) from share_images where owner_id = ${ownerId} and share_id = shares.id)
    else (select count(*) from album_images where owner_id = ${ownerId} and album_id = shares.album_id) end`.mapWith(
    Number,
  );

export type Own = { reach: Reach; id: string };

/** Condition on `shares`: those of the owner that have not been ended, or those of their one album. */
const reachable = ({ ownerId, albumId }: Reach) =>
  and(eq(shares.ownerId, ownerId), isNull(shares.endedAt), albumId === null ? undefined : eq(shares.albumId, albumId));

const own = ({ reach, id }: Own) => and(eq(shares.id, id), reachable(reach));

const columns = (ownerId: string) => ({ row: shares, count: imageCount(ownerId) });
const listed = ({ row, count }: { row: ShareRow; count: number }): ListedShare => ({ ...row, count });

/** The newest first. */
export async function listShares(db: ClientDatabase, reach: Reach): Promise<ListedShare[]> {
  const rows = await inTime(db, (bounded) =>
    bounded
      .select(columns(reach.ownerId))
      .from(shares)
      .where(reachable(reach))
      .orderBy(desc(shares.createdAt), desc(shares.id)),
  );
  return rows.map(listed);
}

export async function readShare(db: ClientDatabase | Transaction, share: Own): Promise<ListedShare | undefined> {
  const [row] = await db.select(columns(share.reach.ownerId)).from(shares).where(own(share));
  return row && listed(row);
}

/** @throws TooManyShares */
async function refuseTooMany(tx: Transaction, ownerId: string, limits: ShareLimits): Promise<void> {
  const open = await tx.$count(shares, and(eq(shares.ownerId, ownerId), isNull(shares.endedAt)));
  if (open >= limits.shares) throw new TooManyShares(`An account has at most ${limits.shares} shares.`);
}

/** @throws TooManyShares */
async function refuseTooManyImages(tx: Transaction, ownerId: string, more: number, limits: ShareLimits): Promise<void> {
  if (more === 0) return;
  const [held] = await tx.select({ images: count() }).from(shareImages).where(eq(shareImages.ownerId, ownerId));
  if ((held?.images ?? 0) + more <= limits.images) return;
  throw new TooManyShares(`The shares of an account have at most ${limits.images} selected images together.`);
}

/** An ended share gives its short name away to its owner at once. An expired one can be opened again, and keeps it. */
async function freeShortName(tx: Transaction, reach: Reach, name: string | null | undefined): Promise<void> {
  if (!name) return;
  const { ownerId, albumId } = reach;
  const inReach = albumId === null ? undefined : eq(shares.albumId, albumId);
  await tx
    .update(shares)
    .set({ shortName: null })
    .where(and(eq(shares.ownerId, ownerId), eq(shares.shortName, name), isNotNull(shares.endedAt), inReach));
}

function shortNameTaken(error: unknown): never {
  throw uniqueViolation(error) === 'shares_short_name_unique' ? new NameTaken() : error;
}

/** @throws ShortNameOpen */
function refuseOpenName({
  shortName,
  passwordHash,
  guessable,
}: Pick<ShareRow, 'shortName' | 'passwordHash' | 'guessable'>) {
  if (shortName !== null && passwordHash === null && !guessable) throw new ShortNameOpen();
}

/** The metadata of an original can contain its author, a title and its former filename. @throws InvalidRequest */
function refuseDetailedOriginals({ originals, details }: Pick<ShareRow, 'originals' | 'details'>) {
  if (!originals || details) return;
  throw new InvalidRequest(
    'Originals can contain details such as names. To hide details, send "originals": false too.',
  );
}

export type NewShareRow = Omit<ShareRow, 'endedAt' | 'views' | 'createdAt'>;

type Insertion = { reach: Reach; row: NewShareRow; images: string[]; limits: ShareLimits };

/**
 * Call under the owner's lock.
 * @param images of a selection, each once
 * @throws InvalidRequest, NotFound, ShortNameOpen, NameTaken, TooManyShares
 */
export async function insertShare(
  tx: Transaction,
  { reach, row, images: ids, limits }: Insertion,
): Promise<ListedShare | undefined> {
  const { ownerId } = reach;
  refuseOpenName(row);
  refuseDetailedOriginals(row);
  await refuseTooMany(tx, ownerId, limits);
  await refuseTooManyImages(tx, ownerId, ids.length, limits);
  if (row.albumId !== null) await mustHave(tx, ownerId, row.albumId);
  await freeShortName(tx, reach, row.shortName);
  await tx.insert(shares).values(row).catch(shortNameTaken);
  await refuseHeldName(tx, { kind: 'share', name: row.shortName, ownerId });
  if (ids.length > 0) await insertImages(tx, { reach, id: row.id }, ids);
  return readShare(tx, { reach, id: row.id });
}

/** @returns whether any is new @throws NotFound if one of the images is missing */
async function insertImages(tx: Transaction, { reach, id }: Own, ids: string[]): Promise<boolean> {
  const known = await tx.$count(images, and(reachableImages(reach), anyOf(images.id, ids), isUnexpired));
  if (known !== ids.length) {
    throw new NotFound('Some of these images do not exist. They may have been deleted already. Select them again.');
  }
  const added = await tx.execute(sql`
    insert into share_images (share_id, image_id, owner_id, position)
    select ${id}::uuid, image.id, ${reach.ownerId}::uuid, image.position
      + (select coalesce(max(position), 0) from share_images where share_id = ${id}::uuid)
    from unnest(${textArray(ids)}::text::uuid[]) with ordinality as image (id, position)
    on conflict do nothing returning image_id`);
  return added.length > 0;
}

type Addition = { share: Own; ids: string[]; limits: ShareLimits };

/**
 * Adds images to the end of a selection; those in it stay where they are. Call under the owner's lock.
 * @returns whether any is new @throws NotFound, TooManyShares
 */
export async function addImages(tx: Transaction, { share, ids, limits }: Addition): Promise<boolean> {
  await refuseTooManyImages(tx, share.reach.ownerId, ids.length, limits);
  return insertImages(tx, share, ids);
}

/** Removes images from a selection. Call under the owner's lock. @returns whether it had any of them */
export async function removeImages(tx: Transaction, { id }: Own, ids: string[]): Promise<boolean> {
  const removed = await tx
    .delete(shareImages)
    .where(and(eq(shareImages.shareId, id), anyOf(shareImages.imageId, ids)))
    .returning({ imageId: shareImages.imageId });
  return removed.length > 0;
}

export type ShareChanges = Partial<
  Pick<
    ShareRow,
    'name' | 'shortName' | 'guessable' | 'passwordHash' | 'originals' | 'details' | 'download' | 'expiresAt'
  >
>;

/** Call under the owner's lock. @returns undefined if there is no such share @throws InvalidRequest, ShortNameOpen, NameTaken */
export async function changeShare(
  tx: Transaction,
  share: Own,
  changes: ShareChanges,
): Promise<ListedShare | undefined> {
  const before = await readShare(tx, share);
  if (!before) return undefined;
  const after = { ...before, ...changes };
  refuseOpenName(after);
  refuseDetailedOriginals(after);
  if (changes.shortName !== before.shortName) await freeShortName(tx, share.reach, changes.shortName);
  await tx.update(shares).set(changes).where(own(share)).catch(shortNameTaken);
  await refuseHeldName(tx, { kind: 'share', name: changes.shortName, ownerId: share.reach.ownerId });
  return readShare(tx, share);
}

/**
 * Ends a share. Its row stays, so that the link answers 410. Call under the owner's lock.
 * @returns its name; undefined if it was not open
 */
export async function endShare(tx: Transaction, share: Own): Promise<string | undefined> {
  const { ownerId } = share.reach;
  const [ended] = await tx
    .update(shares)
    .set({ endedAt: sql`now()` })
    .where(own(share))
    .returning({ name: shares.name });
  if (!ended) return undefined;
  await tx.delete(shareImages).where(eq(shareImages.shareId, share.id));
  const oldest = tx
    .select({ id: shares.id })
    .from(shares)
    .where(and(eq(shares.ownerId, ownerId), isNotNull(shares.endedAt)))
    .orderBy(desc(shares.endedAt), desc(shares.id))
    .offset(maxEnded);
  await tx.delete(shares).where(and(eq(shares.ownerId, ownerId), inArray(shares.id, oldest)));
  return ended.name;
}

/** Deletes shares whose link has answered 410 long enough. */
export async function deleteOldShares(db: Database): Promise<void> {
  const before = sql`now() - make_interval(days => ${KEPT_DAYS})`;
  await db.delete(shares).where(or(lt(shares.endedAt, before), lt(shares.expiresAt, before)));
}

export async function addViews(db: Database, id: string, views: number): Promise<void> {
  await db
    .update(shares)
    .set({ views: sql`${shares.views} + ${views}` })
    .where(eq(shares.id, id));
}
