import { and, asc, count, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { type ImageRow, images } from '../../drizzle/schema.ts';
import type { ClientDatabase, Database } from '../database/connect.ts';
import { prepared } from '../database/driver/prepared.ts';
import { type Reach, reachableImages } from '../database/statements/access.ts';
import { anyOf } from '../database/statements/any-of.ts';
import { searchNameOf } from './search-name.ts';

const imageColumns = Object.entries(getTableColumns(images));

/** Prepared once, because it runs for each uncached link. */
const imageByLink = `
  select ${imageColumns.map(([name, { name: column }]) => `i.${column} as "${name}"`).join(', ')}
  from images i join users on users.id = i.owner_id
  where i.link_key = $1 and users.links_silenced_at is null`;

/** @returns the image of a public link, also a hidden one; undefined if its owner's links are silenced */
export async function findImageByLink(db: ClientDatabase, linkKey: string): Promise<ImageRow | undefined> {
  const [row] = await prepared<Record<string, unknown>>(db, imageByLink, [linkKey]);
  if (!row) return undefined;
  const read = imageColumns.map(([name, column]) => {
    const value = row[name];
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(read) as ImageRow;
}

export async function findOwnImage(db: Database, reach: Reach, id: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, id), reachableImages(reach)));
  return row;
}

/** @param change cleaned values @returns undefined if no such image can be reached */
export async function renameImage(
  db: Database,
  { reach, id }: { reach: Reach; id: string },
  change: { filename?: string | undefined; description?: string | undefined },
): Promise<ImageRow | undefined> {
  const own = and(eq(images.id, id), reachableImages(reach));
  return db.transaction(async (tx) => {
    // Indexing thousands of rare trigrams takes longer than the time limit of lists.
    await tx.execute(sql`set local statement_timeout = 5000`);
    // Locked, so that the search name includes both of a concurrently changed name and description.
    const [before] = await tx
      .select({ filename: images.filename, description: images.description })
      .from(images)
      .where(own)
      .for('no key update');
    if (!before) return undefined;
    const { filename = before.filename, description = before.description } = change;
    const searchName = searchNameOf({ filename, description });
    const [row] = await tx.update(images).set({ filename, description, searchName }).where(own).returning();
    return row;
  });
}

export async function findOwnImages(db: Database, reach: Reach, ids: readonly string[]): Promise<ImageRow[]> {
  return db
    .select()
    .from(images)
    .where(and(reachableImages(reach), anyOf(images.id, ids)));
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
