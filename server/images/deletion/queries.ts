import { and, eq, sql } from 'drizzle-orm';
import { images, orphanedBlobs, users } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { type Reach, reachableImages } from '../../database/statements/access.ts';
import { keepingAnAdmin } from '../../database/statements/last-admin.ts';
import { inOwnerMutex } from '../../database/statements/owner-mutex.ts';
import { type ConfirmedUser, unchangedUser } from '../../database/statements/unchanged-user.ts';
import { isNamed } from '../content/queries.ts';
import { endLink, endStableLinks, isExpired } from '../expiry/queries.ts';
import { contentIdOf } from '../keys.ts';
import { changeHeld, decided, lockOwner, type Stored } from '../transactions.ts';

/** The state that an image must still be in. */
export type OnlyIf = 'expired' | 'waiting';

const conditions = { expired: isExpired, waiting: eq(images.waiting, true) };

export type Deleted = { linkKey: string; released: Stored[] };

/** Its bytes are orphaned if no other row names them. @returns undefined if no such image can be reached @throws Undecided */
export async function deleteImage(
  db: Database,
  { reach, id, process, only }: { reach: Reach; id: string; process: bigint; only?: OnlyIf | undefined },
): Promise<Deleted | undefined> {
  const remove = async (tx: Transaction, released: Stored[]) => {
    if (!(await lockOwner(tx, reach.ownerId))) return undefined;
    const image = and(eq(images.id, id), reachableImages(reach), only && conditions[only]);
    await endStableLinks(tx, image);
    const [row] = await tx.delete(images).where(image).returning();
    if (!row) return undefined;
    await endLink(tx, row);
    const content = contentIdOf(row);
    if (!(await isNamed(tx, content))) {
      await tx.insert(orphanedBlobs).values({ imageId: content, extension: row.extension, process });
      released.push({ id: content, extension: row.extension });
    }
    await changeHeld(tx, reach.ownerId, { images: -1, bytes: -row.size });
    return { linkKey: row.linkKey, released };
  };
  return inOwnerMutex(reach.ownerId, () => decided(db, remove));
}

/** @param process UNOWNED leaves the bytes to the next sweep of any server @returns the number of images and of contents */
export async function deleteImagesOf(
  db: Database,
  ownerId: string,
  process: bigint,
): Promise<{ images: number; contents: number }> {
  return decided(db, async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return { images: 0, contents: 0 };
    const [gone] = await tx.execute<{ images: number; contents: number }>(sql`
      with gone as (delete from ${images} where ${images.ownerId} = ${ownerId} returning id, content_id, extension),
        orphaned as (insert into ${orphanedBlobs} (image_id, extension, process)
          select coalesce(content_id, id), min(extension), ${String(process)}::bigint from gone group by 1 returning 1)
      select (select count(*)::int from gone) as images, (select count(*)::int from orphaned) as contents`);
    await tx.update(users).set({ imageCount: 0, imageBytes: 0 }).where(eq(users.id, ownerId));
    return gone ?? { images: 0, contents: 0 };
  });
}

/**
 * All or nothing; remaining bytes are swept.
 * @param user as confirmed, or its id
 * @returns undefined if deleted or changed
 * @throws LastAdmin
 */
export async function deleteAccount(
  db: Database | Transaction,
  user: { id: string } | ConfirmedUser,
  process: bigint,
): Promise<{ images: number; contents: number } | undefined> {
  return keepingAnAdmin(() =>
    db.transaction(async (tx) => {
      // A concurrent upload waits for this lock, and then finds no account.
      if (!(await lockOwner(tx, user.id, 'passwordHash' in user ? unchangedUser(user) : undefined))) return undefined;
      const count = await deleteImagesOf(tx, user.id, process);
      const gone = await tx.delete(users).where(eq(users.id, user.id)).returning({ id: users.id });
      return gone.length === 0 ? undefined : count;
    }),
  );
}
