import { and, asc, count, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { type ImageRow, images } from '../../drizzle/schema.ts';
import type { ClientDatabase, Database } from '../database/connect.ts';
import { prepared } from '../database/driver/prepared.ts';
import { type Reach, reachableImages } from '../database/statements/access.ts';
import { anyOf } from '../database/statements/any-of.ts';
import { ENDED, type Ended } from './expiry/expiry.ts';
import { isEndedLink, isUnexpired } from './expiry/queries.ts';
import { searchNameOf } from './search-name.ts';

const imageColumns = Object.entries(getTableColumns(images));

/** Selects all columns from a table or query named `i`, for `imageRowOf`. */
export const allColumns = imageColumns.map(([name, { name: column }]) => `i.${column} as "${name}"`).join(', ');

/** @param row of `allColumns`, from the driver */
export function imageRowOf(row: Record<string, unknown>): ImageRow {
  const read = imageColumns.map(([name, column]) => {
    const value = row[name];
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(read) as ImageRow;
}

/** Prepared once, because it runs for each uncached link. */
const imageByLink = `
  select ${allColumns}
  from images i join users on users.id = i.owner_id
  where i.link_key = $1 and users.links_silenced_at is null`;

/**
 * @returns the image of a public link, also a hidden or expired one; ENDED if it expired and was deleted; undefined if
 *   its owner's links are silenced
 */
export async function findImageByLink(db: ClientDatabase, linkKey: string): Promise<ImageRow | Ended | undefined> {
  const [row] = await prepared<Record<string, unknown>>(db, imageByLink, [linkKey]);
  if (row) return imageRowOf(row);
  return (await isEndedLink(db, linkKey)) ? ENDED : undefined;
}

/** @returns undefined also for an expired image */
export async function findOwnImage(db: Database, reach: Reach, id: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, id), reachableImages(reach), isUnexpired));
  return row;
}

/** Cleaned values. */
export type ImageChanges = {
  filename?: string | undefined;
  description?: string | undefined;
  expiresAt?: Date | null | undefined;
};

type Changing = {
  reach: Reach;
  id: string;
  /** Called under the lock. @throws if the image must not be changed so */
  check?: (before: Pick<ImageRow, 'uploadedAt' | 'expiresAt'>) => void;
};

/** @returns undefined if no such image can be reached, or it has expired */
export async function changeImage(
  db: Database,
  { reach, id, check }: Changing,
  change: ImageChanges,
): Promise<ImageRow | undefined> {
  const own = and(eq(images.id, id), reachableImages(reach), isUnexpired);
  return db.transaction(async (tx) => {
    // Indexing thousands of rare trigrams takes longer than the time limit of lists.
    await tx.execute(sql`set local statement_timeout = 5000`);
    // Locked, so that the search name includes both of a concurrently changed name and description.
    const [before] = await tx
      .select({
        filename: images.filename,
        description: images.description,
        uploadedAt: images.uploadedAt,
        expiresAt: images.expiresAt,
      })
      .from(images)
      .where(own)
      .for('no key update');
    if (!before) return undefined;
    check?.(before);
    const { filename = before.filename, description = before.description, expiresAt = before.expiresAt } = change;
    const searchName = searchNameOf({ filename, description });
    const [row] = await tx.update(images).set({ filename, description, searchName, expiresAt }).where(own).returning();
    return row;
  });
}

/** Without expired images. */
export async function findOwnImages(db: Database, reach: Reach, ids: readonly string[]): Promise<ImageRow[]> {
  return db
    .select()
    .from(images)
    .where(and(reachableImages(reach), anyOf(images.id, ids), isUnexpired));
}

/** Counts images of all accounts. @param id `00000000-0000-0000-0000-000000000000` for all */
export async function countImagesAfter(db: Database, id: string): Promise<number> {
  const [row] = await db.select({ number: count() }).from(images).where(gt(images.id, id));
  return row?.number ?? 0;
}

export async function bytesOfImages(db: Database): Promise<number> {
  const [row] = await db.select({ bytes: sql<string>`coalesce(sum(${images.size}), 0)` }).from(images);
  return Number(row?.bytes ?? 0);
}

export async function imagesAfter(db: Database, id: string, limit: number): Promise<ImageRow[]> {
  return db.select().from(images).where(gt(images.id, id)).orderBy(asc(images.id)).limit(limit);
}
