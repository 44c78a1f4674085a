/** How images leave the collection: by one transaction (transactions.ts), after which nothing names their bytes. */
import { and, eq, sql } from 'drizzle-orm';
import { images, orphanedBlobs, users } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { inOwnerMutex } from '../../database/statements/owner-mutex.ts';
import { type ConfirmedUser, unchangedUser } from '../../database/statements/unchanged-user.ts';
import { isNamed } from '../content-queries.ts';
import { contentIdOf } from '../keys.ts';
import { changeHeld, decided, lockOwner, type Stored } from '../transactions.ts';

/** An image that is gone: its link's key, and the bytes that are loose by it, if any. */
export type Deleted = { linkKey: string; released: Stored[] };

/**
 * The row goes; with the last one of its owner that names them its bytes are loose from then on.
 * @returns undefined where this owner has no such image
 * @throws Undecided
 */
export async function deleteImage(
  db: Database,
  { ownerId, id, process }: { ownerId: string; id: string; process: bigint },
): Promise<Deleted | undefined> {
  const remove = async (tx: Transaction, released: Stored[]) => {
    if (!(await lockOwner(tx, ownerId))) return undefined;
    const [row] = await tx
      .delete(images)
      .where(and(eq(images.id, id), eq(images.ownerId, ownerId)))
      .returning();
    if (!row) return undefined;
    const content = contentIdOf(row);
    if (!(await isNamed(tx, content))) {
      await tx.insert(orphanedBlobs).values({ imageId: content, extension: row.extension, process });
      released.push({ id: content, extension: row.extension });
    }
    await changeHeld(tx, ownerId, { images: -1, bytes: -row.size });
    return { linkKey: row.linkKey, released };
  };
  return inOwnerMutex(ownerId, () => decided(db, remove));
}

/**
 * All images of an account, for its end: the rows go, and their bytes are loose. By `UNOWNED` (database/process-registry.ts)
 * they are left to the servers' next sweep.
 * @returns how many there were, and how many contents they had
 */
export async function deleteImagesOf(
  db: Database,
  ownerId: string,
  process: bigint,
): Promise<{ images: number; contents: number }> {
  return decided(db, async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return { images: 0, contents: 0 };
    const [gone] = await tx.execute<{ images: number; contents: number }>(sql`
      with gone as (delete from ${images} where ${images.ownerId} = ${ownerId} returning id, content_id, extension),
        loose as (insert into ${orphanedBlobs} (image_id, extension, process)
          select coalesce(content_id, id), min(extension), ${String(process)}::bigint from gone group by 1 returning 1)
      select (select count(*)::int from gone) as images, (select count(*)::int from loose) as contents`);
    await tx.update(users).set({ imageCount: 0, imageBytes: 0 }).where(eq(users.id, ownerId));
    return gone ?? { images: 0, contents: 0 };
  });
}

/**
 * Deletes an account's rows: it, its sessions and its images, whose bytes are loose from then on. All or nothing; what
 * this process does not come to remove, a server's sweep does.
 *
 * @param user where the owner confirmed it, as the account was then
 * @returns how many images and contents there were, or nothing where the account is gone already, or has changed since
 */
export async function deleteAccount(
  db: Database,
  user: { id: string } | ConfirmedUser,
  process: bigint,
): Promise<{ images: number; contents: number } | undefined> {
  return db.transaction(async (tx) => {
    // An upload under way waits for the account's row, and then finds no account.
    if (!(await lockOwner(tx, user.id, 'passwordHash' in user ? unchangedUser(user) : undefined))) return undefined;
    const count = await deleteImagesOf(tx, user.id, process);
    const gone = await tx.delete(users).where(eq(users.id, user.id)).returning({ id: users.id });
    return gone.length === 0 ? undefined : count;
  });
}
