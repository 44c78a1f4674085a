import { and, asc, eq, sql } from 'drizzle-orm';
import { type ImageRow, images } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { type Reach, reachableImages } from '../../database/statements/access.ts';
import { anyOf } from '../../database/statements/any-of.ts';
import { inOwnerMutex } from '../../database/statements/owner-mutex.ts';
import { isUnexpired } from '../expiry/queries.ts';
import { newLinkKey } from '../links/link-paths.ts';
import { decided, lockOwner } from '../transactions.ts';

type Rotated = { rows: ImageRow[]; formerKeys: string[] };

/** Gives images new link keys, all or none. Skips ids that cannot be reached or have expired. @throws Undecided */
export async function rotateLinks(db: Database, reach: Reach, ids: readonly string[]): Promise<Rotated> {
  const rotate = async (tx: Transaction): Promise<Rotated> => {
    if (!(await lockOwner(tx, reach.ownerId))) return { rows: [], formerKeys: [] };
    const before = await tx
      .select({ id: images.id, formerKey: images.linkKey })
      .from(images)
      .where(and(reachableImages(reach), anyOf(images.id, ids), isUnexpired))
      .orderBy(asc(images.id))
      .for('update');
    const fresh = JSON.stringify(before.map(({ id }) => ({ id, key: newLinkKey() })));
    const rows = await tx
      .update(images)
      .set({ linkKey: sql`fresh.key` })
      .from(sql`jsonb_to_recordset(${fresh}::text::jsonb) as fresh (id uuid, key text)`)
      .where(and(eq(images.ownerId, reach.ownerId), sql`${images.id} = fresh.id`))
      .returning();
    return { rows: rows as ImageRow[], formerKeys: before.map(({ formerKey }) => formerKey) };
  };
  return inOwnerMutex(reach.ownerId, () => decided(db, rotate));
}
