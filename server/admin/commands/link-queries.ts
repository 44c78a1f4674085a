/**
 * New keys for public links. The old ones are dead with the commit, which triggers tell every server
 * (migrations/0005_links_told.sql); what is stored does not depend on them.
 */
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { albums, images } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { newLinkKey } from '../../images/links/link-paths.ts';
import { lockOwner } from '../../images/transactions.ts';

/** Up to so many are named in a notice: of more, servers would forget the links of every account. */
const batch = 100;

const fresh = (ids: { id: string }[]) => JSON.stringify(ids.map(({ id }) => ({ id, key: newLinkKey() })));

/**
 * Some of an account's images, in the order of their ids.
 * @param after the last id that was answered
 * @returns their ids; none at the end, or where the account is gone
 */
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
      update ${images} set link_key = fresh.key
      from jsonb_to_recordset(${fresh(ids)}::text::jsonb) as fresh (id uuid, key text)
      where ${images.id} = fresh.id`);
    return ids.map(({ id }) => id);
  });
}

/** Those of an account's albums that have a public page. @returns how many */
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
