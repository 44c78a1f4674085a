import { eq } from 'drizzle-orm';
import { apiTokens, sessions, users } from '../../../drizzle/schema.ts';
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

/** Who calls, as the guard has found them. */
export type Caller = { sessionId: string; access: { ownerId: string; tokenId: string | null } };

/**
 * As `underOwnerLock`, for a call that opens a way into the account. Its session or API token must still exist: what has ended it
 * meanwhile, such as a new password, must not leave what the call makes.
 * @throws Unauthorized if the account, the session or the token is gone
 */
export async function underCallerLock<T>(
  db: Database,
  caller: Caller,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return underOwnerLock(db, caller.access.ownerId, async (tx) => {
    await assertLive(tx, caller);
    return work(tx);
  });
}

/** Call after the account's row is locked. @throws Unauthorized if the session or the API token of the call has ended */
export async function assertLive(tx: Transaction, { sessionId, access: { tokenId } }: Caller): Promise<void> {
  const [table, id] = tokenId === null ? [sessions, sessionId] : [apiTokens, tokenId];
  if ((await tx.$count(table, eq(table.id, id))) === 0) throw new Unauthorized();
}
