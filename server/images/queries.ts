import { and, count, desc, eq, inArray, like, type SQL } from 'drizzle-orm';
import { type ImageRow, images, type NewImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { foldCase } from '../fold.ts';

/** All of one upload, or none. */
export async function insertImages(db: Database, rows: NewImageRow[]): Promise<ImageRow[]> {
  return db.insert(images).values(rows).returning();
}

/** What `LIKE` would read as a pattern, read literally. Postgres takes no NUL in a text, and no filename holds one. */
function containing(search: string): string {
  const literal = foldCase(search.toWellFormed())
    .replaceAll('\0', '\uFFFD')
    .replace(/[\\%_]/g, '\\$&');
  return `%${literal}%`;
}

function ofOwner(ownerId: string, search: string): SQL | undefined {
  return search === ''
    ? eq(images.ownerId, ownerId)
    : and(eq(images.ownerId, ownerId), like(images.searchName, containing(search)));
}

export async function countImages(db: Database, ownerId: string, search: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(images).where(ofOwner(ownerId, search));
  return row?.total ?? 0;
}

type Page = { page: number; size: number };

/** Newest first. */
export async function pageOfImages(
  db: Database,
  ownerId: string,
  search: string,
  { page, size }: Page,
): Promise<ImageRow[]> {
  return db
    .select()
    .from(images)
    .where(ofOwner(ownerId, search))
    .orderBy(desc(images.uploadedAt), desc(images.id))
    .limit(size)
    .offset((page - 1) * size);
}

/** @returns the row that is gone, or undefined where this owner has no such image */
export async function deleteImage(db: Database, ownerId: string, id: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .delete(images)
    .where(and(eq(images.id, id), eq(images.ownerId, ownerId)))
    .returning();
  return row;
}

/** Of this upload, as far as its rows were written; for undoing it. */
export async function deleteImages(db: Database, ids: string[]): Promise<void> {
  await db.delete(images).where(inArray(images.id, ids));
}

export async function findImageByLink(db: Database, linkKey: string): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.linkKey, linkKey));
  return row;
}
