import { eq, inArray, sql } from 'drizzle-orm';
import { looseBytes, users } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { allKeys } from '../../images/keys.ts';
import { deleteImagesOf } from '../../images/transactions.ts';
import type { Storage } from '../../storage/storage.ts';

/** Images whose bytes are removed before their loose rows go: a few hundred, in one statement. */
const batch = 200;

/**
 * Deletes an account's rows: it, its sessions and its images, whose bytes are loose from then on. All or nothing; what
 * this process does not come to remove, a server's sweep does.
 *
 * @returns how many images there were, or nothing where the account is gone already
 */
export async function deleteAccountRows(db: Database, userId: string, process: bigint): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    // An upload under way waits for the account's row, and then finds no account.
    const count = await deleteImagesOf(tx, userId, process);
    const gone = await tx.delete(users).where(eq(users.id, userId)).returning({ id: users.id });
    return gone.length === 0 ? undefined : count;
  });
}

/**
 * Removes the bytes that are loose under this process's name, and then the rows that tell of them.
 *
 * @param step told after each image
 * @returns how many images' bytes could not be removed, and why the first of them
 */
export async function removeLooseBytes(
  { db, storage, process }: { db: Database; storage: Storage; process: bigint },
  step: () => void,
): Promise<{ failed: number; reason?: unknown }> {
  const failed: { id: string; reason: unknown }[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const loose = await db
      .select({ id: looseBytes.imageId, extension: looseBytes.extension })
      .from(looseBytes)
      .where(sql`${looseBytes.process} = ${String(process)}::bigint and ${looseBytes.imageId} > ${after}::uuid`)
      .orderBy(looseBytes.imageId)
      .limit(batch);
    const last = loose.at(-1);
    if (!last) return { failed: failed.length, reason: failed[0]?.reason };
    after = last.id;
    const removed: string[] = [];
    for (const image of loose) {
      try {
        for (const key of allKeys({ ...image, hasScreen: true })) await storage.remove(key);
        removed.push(image.id);
      } catch (reason) {
        failed.push({ id: image.id, reason });
      }
      step();
    }
    if (removed.length > 0) await db.delete(looseBytes).where(inArray(looseBytes.imageId, removed));
  }
}
