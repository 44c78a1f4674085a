import { eq } from 'drizzle-orm';
import { users } from '../../../drizzle/schema.ts';
import { Unauthorized } from '../../errors.ts';
import type { Database, Transaction } from '../connect.ts';
import { inOwnerMutex } from './owner-mutex.ts';

/**
 * A transaction that locks the owner's row first: limits hold, no image or album is deleted meanwhile, and nothing deadlocks.
 * @throws Unauthorized if the account is deleted
 */
export async function underOwnerLock<T>(
  db: Database,
  ownerId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inOwnerMutex(ownerId, () =>
    db.transaction(async (tx) => {
      const owner = await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
      if (owner.length === 0) throw new Unauthorized();
      return work(tx);
    }),
  );
}
