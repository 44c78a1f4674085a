/** Contents: bytes that are stored once for all images of their owner that name them (`images.content_id`). */
import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type ImageRow, images, type NewImageRow } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { contentIdOf } from '../keys.ts';

export const naming = (contents: string[]): SQL | undefined =>
  or(and(isNull(images.contentId), inArray(images.id, contents)), inArray(images.contentId, contents));

/**
 * For each SHA-256, the id of any such image. Reads one index entry each, unless `without` excludes it: an owner may have a
 * picture 100,000 times. The order makes Postgres use images_owner_content. By equality alone, it may read all images of an
 * owner that its statistics do not know yet.
 */
async function findAlike(
  db: Database | Transaction,
  ownerId: string,
  sums: string[],
  without: string[],
): Promise<string[]> {
  const wanted = sql.join(
    sums.map((sum) => sql`(${sum})`),
    sql`, `,
  );
  const other = without.length === 0 ? sql`true` : sql`coalesce(images.content_id, images.id) not in ${without}`;
  const rows = await db.execute<{ id: string }>(sql`
    select alike.id from (values ${wanted}) as wanted (sha256) cross join lateral (
      select images.id, images.sha256 from images where owner_id = ${ownerId} and images.sha256 >= wanted.sha256 and ${other}
      order by images.sha256 limit 1
    ) alike where alike.sha256 = wanted.sha256`);
  return rows.map(({ id }) => id);
}

/** An image of the owner with these bytes, except contents in `without`. */
export async function imageAlike(
  db: Database,
  ownerId: string,
  sha256: string,
  without: string[],
): Promise<ImageRow | undefined> {
  const ids = await findAlike(db, ownerId, [sha256], without);
  if (ids.length === 0) return undefined;
  const [row] = await db.select().from(images).where(inArray(images.id, ids));
  return row;
}

/** The same for several SHA-256, under the owner's lock. Waits for rendition writes, so that the rows are current. */
export async function lockAlike(
  tx: Transaction,
  ownerId: string,
  sums: string[],
  without: string[],
): Promise<ImageRow[]> {
  const ids = await findAlike(tx, ownerId, sums, without);
  if (ids.length === 0) return [];
  return tx.select().from(images).where(inArray(images.id, ids)).orderBy(asc(images.id)).for('share');
}

export async function findByContent(db: Database, content: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(images)
    .where(naming([content]))
    .limit(1);
  return row;
}

/** Whether an image names the content. Each of the two subqueries reads one index entry. */
export async function isNamed(tx: Transaction, content: string): Promise<boolean> {
  const [row] = await tx.execute<{ named: boolean }>(sql`
    select exists (select 1 from images where content_id = ${content})
      or exists (select 1 from images where id = ${content} and content_id is null) as named`);
  return row?.named !== false;
}

/** Locks the rows: a deletion waits, then removes all bytes. @returns an updated row; undefined if none was left to update */
export async function renewContent(
  db: Database,
  image: Pick<ImageRow, 'id' | 'contentId'>,
  findings: Partial<NewImageRow>,
  write: () => Promise<void>,
): Promise<ImageRow | undefined> {
  const ofContent = naming([contentIdOf(image)]);
  return db.transaction(async (tx) => {
    const held = await tx.select({ id: images.id }).from(images).where(ofContent).orderBy(asc(images.id)).for('update');
    if (held.length === 0) return undefined;
    await write();
    await tx.update(images).set(findings).where(ofContent);
    const one = held.find(({ id }) => id === image.id) ?? held[0];
    const [row] = await tx
      .select()
      .from(images)
      .where(eq(images.id, one?.id ?? image.id));
    return row;
  });
}

/** An image that names a content, after concurrent deletions and rebuilds: for bytes that were written without a lock. */
export async function settledContent(db: Database, content: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(images)
    .where(naming([content]))
    .orderBy(asc(images.id))
    .limit(1)
    .for('share');
  return row;
}

/** Updates all rows of a content, locked in id order like renewContent, so that the two cannot deadlock. */
async function updateContent(
  db: Database,
  image: Pick<ImageRow, 'id' | 'contentId'>,
  findings: Partial<NewImageRow>,
  where?: SQL,
): Promise<void> {
  const ofContent = naming([contentIdOf(image)]);
  await db.transaction(async (tx) => {
    await tx.select({ id: images.id }).from(images).where(ofContent).orderBy(asc(images.id)).for('update');
    await tx.update(images).set(findings).where(and(ofContent, where));
  });
}

/** Records the checksum of a rendition from an earlier version, unless the row has one. */
export async function adoptChecksum(
  db: Database,
  image: Pick<ImageRow, 'id' | 'contentId'>,
  column: 'thumbnailSha256' | 'screenSha256' | 'thumbnailAvifSha256' | 'screenAvifSha256',
  sha256: string,
): Promise<void> {
  await updateContent(db, image, { [column]: sha256 }, isNull(images[column]));
}

/** All contents that are named by images with another id. */
export async function sharedContents(db: Database): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ id: sql<string>`${images.contentId}` })
    .from(images)
    .where(sql`${images.contentId} is not null`);
  return new Set(rows.map(({ id }) => id));
}

/** @returns a predicate for the first image of each content */
export function firstOfEach(shared: ReadonlySet<string>): (image: Pick<ImageRow, 'id' | 'contentId'>) => boolean {
  const seen = new Set<string>();
  return (image) => {
    const content = contentIdOf(image);
    if (seen.has(content)) return false;
    if (shared.has(content)) seen.add(content);
    return true;
  };
}

export async function imagesNaming(db: Database, content: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: images.id })
    .from(images)
    .where(naming([content]))
    .orderBy(asc(images.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Rows of the owner that name these contents, locked in id order. */
export async function lockNaming(tx: Transaction, ownerId: string, contents: string[]): Promise<ImageRow[]> {
  return tx
    .select()
    .from(images)
    .where(and(eq(images.ownerId, ownerId), naming(contents)))
    .orderBy(asc(images.id))
    .for('update');
}
