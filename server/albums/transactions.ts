import { eq } from 'drizzle-orm';
import { users } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inOwnerMutex } from '../database/statements/owner-mutex.ts';
import { Unauthorized } from '../errors.ts';

/** Locks the owner's row first: limits hold, no image is deleted meanwhile, and nothing deadlocks. @throws Unauthorized */
export async function underLock<T>(db: Database, ownerId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inOwnerMutex(ownerId, () =>
    db.transaction(async (tx) => {
      const owner = await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
      if (owner.length === 0) throw new Unauthorized();
      return work(tx);
    }),
  );
}
