import { eq } from 'drizzle-orm';
import { users } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inOwnerMutex } from '../database/statements/owner-mutex.ts';
import { Unauthorized } from '../errors.ts';

/**
 * One transaction over an account's albums. The owner's row is locked first, as uploads and deletions of images do it, so
 * that limits hold, no image goes while it is put into an album, and what runs side by side waits and never deadlocks.
 *
 * @throws Unauthorized where the account is gone
 */
export async function underLock<T>(db: Database, ownerId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inOwnerMutex(ownerId, () =>
    db.transaction(async (tx) => {
      const owner = await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
      if (owner.length === 0) throw new Unauthorized();
      return work(tx);
    }),
  );
}
