/** The administrator's queries about single images of any owner. */
import { and, asc, eq, inArray, isNotNull, isNull, ne, not, or, sql } from 'drizzle-orm';
import { collectedImages, type ImageRow, images, type UserRow, users } from '../../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../../database/connect.ts';

export type OwnedImage = { image: ImageRow; owner: UserRow };

const owned = (db: Database) =>
  db.select({ image: images, owner: users }).from(images).innerJoin(users, eq(users.id, images.ownerId));

/** @param by the image's id, or the key in its links */
export async function findOwned(
  db: Database,
  by: { id: string } | { linkKey: string },
): Promise<OwnedImage | undefined> {
  const [found] = await owned(db).where('id' in by ? eq(images.id, by.id) : eq(images.linkKey, by.linkKey));
  return found;
}

export async function listHidden(db: Database): Promise<OwnedImage[]> {
  return owned(db)
    .where(and(isNotNull(images.hiddenAt), not(images.waiting)))
    .orderBy(asc(images.hiddenAt), asc(images.id));
}

const isOpenOrWaits = or(isNull(images.hiddenAt), images.waiting);

/** The owner's other images with the same bytes, oldest first. */
export async function findCopies(db: Database, { id, ownerId, sha256 }: ImageRow): Promise<ImageRow[]> {
  const alike = and(eq(images.ownerId, ownerId), eq(images.sha256, sha256), ne(images.id, id));
  return db.select().from(images).where(alike).orderBy(asc(images.id));
}

/** Other accounts' images with the same bytes that are open or may be admitted. Reads the whole table: no index fits. */
export async function findElsewhere(db: Database, { ownerId, sha256 }: ImageRow): Promise<{ id: string }[]> {
  const alike = and(eq(images.sha256, sha256), ne(images.ownerId, ownerId), isOpenOrWaits);
  return db.select({ id: images.id }).from(images).where(alike).orderBy(asc(images.id));
}

/**
 * Closes public links. A trigger notifies every server (migrations/0005_links_told.sql). Hidden images keep their time.
 * Images that wait for their owner stop waiting, so that the owner cannot open them.
 */
export async function hideImages(
  db: Database | Transaction,
  ids: string[],
  { reason, legal }: { reason: string | null; legal: boolean },
): Promise<ImageRow[]> {
  return db
    .update(images)
    .set({
      hiddenAt: sql`coalesce(${images.hiddenAt}, now())`,
      // Hiding again, for instance for legal reasons too, keeps the earlier reason.
      hiddenReason: reason ?? sql`${images.hiddenReason}`,
      hiddenLegal: legal ? true : sql`${images.hiddenLegal}`,
      waiting: false,
    })
    .where(inArray(images.id, ids))
    .returning();
}

/** Takes back that images were hidden. Those that their owner has not admitted wait again. */
export async function showImages(
  db: Database | Transaction,
  ids: string[],
): Promise<Pick<ImageRow, 'id' | 'waiting'>[]> {
  const isUnadmitted = sql<boolean>`exists (select 1 from ${collectedImages}
    where ${collectedImages.imageId} = ${images.id} and not ${collectedImages.admitted})`;
  return db
    .update(images)
    .set({
      hiddenAt: sql`case when ${isUnadmitted} then ${images.hiddenAt} end`,
      hiddenReason: null,
      hiddenLegal: false,
      waiting: isUnadmitted,
    })
    .where(and(inArray(images.id, ids), isNotNull(images.hiddenAt), not(images.waiting)))
    .returning({ id: images.id, waiting: images.waiting });
}
