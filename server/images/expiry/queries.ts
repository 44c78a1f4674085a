import { and, asc, eq, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { endedLinks, type ImageRow, images, stableLinks, users } from '../../../drizzle/schema.ts';
import type { ClientDatabase, Database, Transaction } from '../../database/connect.ts';
import { prepared } from '../../database/driver/prepared.ts';

/** Conditions on `images`, by the database's clock. */
export const isExpired: SQL = lte(images.expiresAt, sql`now()`);
export const isUnexpired: SQL | undefined = or(isNull(images.expiresAt), gt(images.expiresAt, sql`now()`));

type Expired = { id: string; ownerId: string; expiresAt: Date };

/** Expired images, the earliest first. @param after the last one of the previous batch */
export async function expiredImages(db: Database, after: Expired | undefined, limit: number): Promise<Expired[]> {
  const rest =
    after &&
    sql`(${images.expiresAt}, ${images.id}) > (${after.expiresAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  const rows = await db
    .select({ id: images.id, ownerId: images.ownerId, expiresAt: images.expiresAt })
    .from(images)
    .where(and(isExpired, rest))
    .orderBy(asc(images.expiresAt), asc(images.id))
    .limit(limit);
  return rows.flatMap(({ expiresAt, ...row }) => (expiresAt ? { ...row, expiresAt } : []));
}

/** Records the link of an expired image, in the transaction that deletes the image. A hidden link must not answer 410. */
export async function endLink(tx: Transaction, { linkKey, ownerId, expiresAt, hiddenAt }: ImageRow): Promise<void> {
  if (expiresAt === null || hiddenAt !== null) return;
  await tx.execute(sql`insert into ${endedLinks} (link_key, owner_id)
    select ${linkKey}::text, ${ownerId}::uuid where ${expiresAt.toISOString()}::timestamptz <= now()
    on conflict (link_key) do update set ended_at = now()`);
}

/** Records that stable links lose an expired image, before the transaction deletes the image. */
export async function endStableLinks(tx: Transaction, image: SQL | undefined): Promise<void> {
  await tx
    .update(stableLinks)
    .set({ endedAt: sql`now()` })
    .from(images)
    .where(and(image, eq(stableLinks.imageId, images.id), isExpired, isNull(images.hiddenAt)));
}

const endedLink = `
  select link_key from ended_links join users on users.id = ended_links.owner_id
  where link_key = $1 and users.links_silenced_at is null`;

/** @returns false if its owner's links are silenced */
export async function isEndedLink(db: ClientDatabase, linkKey: string): Promise<boolean> {
  return (await prepared(db, endedLink, [linkKey])).length > 0;
}

/** Days for which the link of an expired image answers 410. */
export const KEPT_DAYS = 90;

export async function deleteOldEndedLinks(db: Database): Promise<void> {
  await db.delete(endedLinks).where(lt(endedLinks.endedAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}

/** Counts images that a sweep should have deleted. @param minutes since they expired */
export async function countOverdue(db: Database, minutes: number): Promise<number> {
  return db.$count(images, lte(images.expiresAt, sql`now() - make_interval(mins => ${minutes})`));
}

/** @returns the image of a delete link; undefined if there is none, it has expired, or its owner is disabled */
export async function findByDeleteHash(db: Database, deleteHash: string): Promise<ImageRow | undefined> {
  const [found] = await db
    .select({ row: images })
    .from(images)
    .innerJoin(users, eq(users.id, images.ownerId))
    .where(and(eq(images.deleteHash, deleteHash), isUnexpired, isNull(users.disabledAt)));
  return found?.row;
}
