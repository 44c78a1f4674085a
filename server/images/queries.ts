import { and, asc, count, eq, gt } from 'drizzle-orm';
import { type ImageRow, images } from '../../drizzle/schema.ts';
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

/** Of all accounts. @param id `00000000-0000-0000-0000-000000000000` for all */
export async function countImagesAfter(db: Database, id: string): Promise<number> {
  const [row] = await db.select({ number: count() }).from(images).where(gt(images.id, id));
  return row?.number ?? 0;
}

/** Of all accounts, by their ids. */
export async function imagesAfter(db: Database, id: string, most: number): Promise<ImageRow[]> {
  return db.select().from(images).where(gt(images.id, id)).orderBy(asc(images.id)).limit(most);
}
