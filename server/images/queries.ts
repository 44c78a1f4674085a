import { and, asc, count, eq, gt, isNull } from 'drizzle-orm';
import { type ImageRow, images, type NewImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';

export async function findImageByLink(db: Database, linkKey: string): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.linkKey, linkKey));
  return row;
}

/** @returns undefined where this owner has no such image */
export async function findOwnImage(db: Database, ownerId: string, id: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, id), eq(images.ownerId, ownerId)));
  return row;
}

/**
 * Writes bytes of an image and what is known of them, its row locked meanwhile: a deletion waits, and finds all that it
 * has to remove.
 *
 * @returns the row as it is then; undefined where it is gone, and nothing was written
 */
export async function renewImage(
  db: Database,
  id: string,
  findings: Partial<NewImageRow>,
  write: () => Promise<void>,
): Promise<ImageRow | undefined> {
  return db.transaction(async (transaction) => {
    const [held] = await transaction.select({ id: images.id }).from(images).where(eq(images.id, id)).for('update');
    if (!held) return undefined;
    await write();
    const [row] = await transaction.update(images).set(findings).where(eq(images.id, id)).returning();
    return row;
  });
}

/** Of a rendition that an earlier version made; one that has been written down stays. */
export async function adoptDigest(
  db: Database,
  id: string,
  column: 'thumbnailSha256' | 'screenSha256',
  sha256: string,
): Promise<void> {
  await db
    .update(images)
    .set({ [column]: sha256 })
    .where(and(eq(images.id, id), isNull(images[column])));
}

/** Of all accounts. @param id `00000000-0000-0000-0000-000000000000` for all */
export async function countImagesAfter(db: Database, id: string): Promise<number> {
  const [row] = await db.select({ number: count() }).from(images).where(gt(images.id, id));
  return row?.number ?? 0;
}

/** Of all accounts, by their ids. */
export async function imagesAfter(db: Database, id: string, most: number): Promise<ImageRow[]> {
  return db.select().from(images).where(gt(images.id, id)).orderBy(asc(images.id)).limit(most);
}
