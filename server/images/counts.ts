/** What accounts are said to hold, against what their images add up to: they differ only where rows were changed by hand. */
import { count, eq, sql, sum } from 'drizzle-orm';
import { images, users } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import type { Held } from './quota.ts';

export type Miscounted = { id: string; username: string; said: Held; held: Held };

/** All accounts whose counts are wrong, as of one moment. */
export async function miscountedAccounts(db: Database): Promise<Miscounted[]> {
  const sums = db
    .select({
      ownerId: images.ownerId,
      images: count().as('images'),
      bytes: sum(images.size).mapWith(Number).as('bytes'),
    })
    .from(images)
    .groupBy(images.ownerId)
    .as('sums');
  const held = {
    images: sql<number>`coalesce(${sums.images}, 0)`.mapWith(Number),
    bytes: sql<number>`coalesce(${sums.bytes}, 0)`.mapWith(Number),
  };
  return db
    .select({
      id: users.id,
      username: users.username,
      said: { images: users.imageCount, bytes: users.imageBytes },
      held,
    })
    .from(users)
    .leftJoin(sums, eq(sums.ownerId, users.id))
    .where(sql`(${users.imageCount}, ${users.imageBytes}) is distinct from (${held.images}, ${held.bytes})`)
    .orderBy(users.username);
}

/** Counts an account's images anew. Uploads and deletions of that account wait meanwhile. */
export async function recountAccount(db: Database, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    // A statement of its own: what is counted below must be what stands once the row is locked.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
    const [held] = await tx
      .select({ images: count(), bytes: sql<number>`coalesce(sum(${images.size}), 0)`.mapWith(Number) })
      .from(images)
      .where(eq(images.ownerId, id));
    if (held) await tx.update(users).set({ imageCount: held.images, imageBytes: held.bytes }).where(eq(users.id, id));
  });
}
