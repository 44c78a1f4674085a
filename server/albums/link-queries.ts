/** Public pages of albums: their links and views. */
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { albums } from '../../drizzle/schema.ts';
import type { ClientDatabase, Database, Transaction } from '../database/connect.ts';
import { inTime } from '../database/driver/prepared.ts';
import type { Reach } from '../database/statements/access.ts';
import { noSuchAlbum } from './refusals.ts';

export type AlbumOfPage = { id: string; name: string; linkKey: string; views: number; createdAt: Date; count: number };

const reachable = ({ ownerId, albumId }: Reach) =>
  and(eq(albums.ownerId, ownerId), albumId === null ? undefined : eq(albums.id, albumId));

const withPage = (reach: Reach, id: string) => and(reachable(reach), eq(albums.id, id), isNotNull(albums.linkKey));

/** Albums whose public page is on. */
export async function listPages(db: ClientDatabase, reach: Reach): Promise<AlbumOfPage[]> {
  const { id, name, linkKey, linkViews: views, createdAt } = albums;
  const count = sql`(select count(*) from album_images where owner_id = ${reach.ownerId} and album_id = albums.id)`;
  const rows = await inTime(db, (bounded) =>
    bounded
      .select({ id, name, linkKey, views, createdAt, count: count.mapWith(Number) })
      .from(albums)
      .where(and(reachable(reach), isNotNull(albums.linkKey)))
      .orderBy(albums.position, albums.id),
  );
  return rows.flatMap(({ linkKey, ...row }) => (linkKey === null ? [] : [{ ...row, linkKey }]));
}

export async function hasPage(db: Database, reach: Reach, id: string): Promise<boolean> {
  return (await db.$count(albums, withPage(reach, id))) > 0;
}

/** @returns the album, with the present key of its page, or else `fresh` @throws NotFound */
export async function openPage(db: Database | Transaction, reach: Reach, id: string, fresh: string) {
  const own = and(reachable(reach), eq(albums.id, id));
  await db
    .update(albums)
    .set({ linkKey: fresh, linkViews: 0 })
    .where(and(own, isNull(albums.linkKey)));
  const [row] = await db.select({ name: albums.name, linkKey: albums.linkKey }).from(albums).where(own);
  // Another call ended the link in between; the later call wins.
  if (!row?.linkKey) throw noSuchAlbum();
  return { name: row.name, linkKey: row.linkKey };
}

/** A new page gets another key. @returns the album's name; undefined if its page was off */
export async function closePage(db: Database | Transaction, reach: Reach, id: string): Promise<string | undefined> {
  const [closed] = await db
    .update(albums)
    .set({ linkKey: null })
    .where(withPage(reach, id))
    .returning({ name: albums.name });
  return closed?.name;
}

/** Views of a page that was turned off meanwhile are dropped. */
export async function addViews(db: Database, linkKey: string, views: number): Promise<void> {
  await db
    .update(albums)
    .set({ linkViews: sql`${albums.linkViews} + ${views}` })
    .where(eq(albums.linkKey, linkKey));
}
