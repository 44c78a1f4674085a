import { and, asc, type Column, eq, sql } from 'drizzle-orm';
import { type ImageRow, images } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { naming } from './content/queries.ts';
import { contentIdOf } from './keys.ts';

const isSame = (column: Column, value: string | null) => sql`${column} is not distinct from ${value}`;

/** Marks all rows of a content, locked in id order as in content/queries.ts. */
async function mark(
  db: Database,
  row: Pick<ImageRow, 'id' | 'contentId'>,
  marks: Partial<Pick<ImageRow, 'sealed' | 'renditionsSealed'>>,
  where = sql`true`,
): Promise<boolean> {
  const ofContent = naming([contentIdOf(row)]);
  return db.transaction(async (tx) => {
    await tx.select({ id: images.id }).from(images).where(ofContent).orderBy(asc(images.id)).for('update');
    const marked = await tx.update(images).set(marks).where(and(ofContent, where)).returning({ id: images.id });
    return marked.length > 0;
  });
}

/** Call once the sealed bytes are synced. @param row as it was when they were checked @returns false if changed since */
export async function markSealed(db: Database, row: ImageRow, what: 'all' | 'original'): Promise<boolean> {
  if (what === 'original') return mark(db, row, { sealed: true }, sql`${eq(images.sha256, row.sha256)}`);
  const { sha256, thumbnailSha256, screenSha256, thumbnailAvifSha256, screenAvifSha256 } = row;
  const unchanged = and(
    eq(images.sha256, sha256),
    isSame(images.thumbnailSha256, thumbnailSha256),
    isSame(images.screenSha256, screenSha256),
    isSame(images.thumbnailAvifSha256, thumbnailAvifSha256),
    isSame(images.screenAvifSha256, screenAvifSha256),
  );
  return mark(db, row, { sealed: true, renditionsSealed: true }, sql`${unchanged}`);
}

/** Call before plain bytes replace sealed ones. */
export async function markPlain(db: Database, row: Pick<ImageRow, 'id' | 'contentId'>): Promise<void> {
  await mark(db, row, { sealed: false, renditionsSealed: false });
}
