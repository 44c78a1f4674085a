/** Assigns new keys to public links. On commit, triggers notify every server (migrations/0005_links_told.sql). Stored files do not change. */
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { albums, images, shares } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { newLinkKey } from '../../images/links/link-paths.ts';
import { lockOwner } from '../../images/transactions.ts';

/** Most ids in one notification: with more, servers would drop the cached links of every account. */
const batch = 100;

const fresh = (ids: { id: string }[]) => JSON.stringify(ids.map(({ id }) => ({ id, key: newLinkKey() })));

/** Renews links of the account's next images after this id, and ends their delete links. @returns their ids; none at the end */
export async function renewImageLinks(db: Database, ownerId: string, after: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return [];
    const ids = await tx
      .select({ id: images.id })
      .from(images)
      .where(and(eq(images.ownerId, ownerId), gt(images.id, after)))
      .orderBy(asc(images.id))
      .limit(batch);
    await tx.execute(sql`
      update ${images} set link_key = fresh.key, delete_hash = null
      from jsonb_to_recordset(${fresh(ids)}::text::jsonb) as fresh (id uuid, key text)
      where ${images.id} = fresh.id`);
    return ids.map(({ id }) => id);
  });
}

/** Renews the addresses of an account's public albums. @returns how many */
export async function renewAlbumLinks(db: Database, ownerId: string): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return 0;
    const ids = await tx
      .select({ id: albums.id })
      .from(albums)
      .where(and(eq(albums.ownerId, ownerId), isNotNull(albums.linkKey)))
      .orderBy(asc(albums.id))
      .for('update');
    await tx.execute(sql`
      update ${albums} set link_key = fresh.key
      from jsonb_to_recordset(${fresh(ids)}::text::jsonb) as fresh (id uuid, key text)
      where ${albums.id} = fresh.id`);
    return ids.length;
  });
}

/** Renews the keys of an account's shares, whose short names stay. @returns how many */
export async function renewShareLinks(db: Database, ownerId: string): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return 0;
    const ids = await tx.select({ id: shares.id }).from(shares).where(eq(shares.ownerId, ownerId)).for('update');
    await tx.execute(sql`
      update ${shares} set key = fresh.key
      from jsonb_to_recordset(${fresh(ids)}::text::jsonb) as fresh (id uuid, key text)
      where ${shares.id} = fresh.id`);
    return ids.length;
  });
}
