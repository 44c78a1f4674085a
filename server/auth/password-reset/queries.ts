import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { passwordResets, users } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { emailKey } from '../account-names.ts';

type Addressee = { username: string; email: string };

/**
 * Replaces the account's reset link. Locks the account's row, so that a concurrent change cannot be missed.
 * @returns the recipient; undefined for an unknown email or a disabled account
 */
export async function insertReset(
  db: Database | Transaction,
  whose: { email: string } | { id: string },
  { tokenHash, lifetimeMs }: { tokenHash: string; lifetimeMs: number },
): Promise<Addressee | undefined> {
  const isOf = 'id' in whose ? eq(users.id, whose.id) : eq(users.emailKey, emailKey(whose.email));
  return db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id, username: users.username, email: users.email })
      .from(users)
      .where(and(isOf, isNull(users.disabledAt)))
      .for('share');
    if (!user) return undefined;
    const change = { tokenHash, expiresAt: sql`now() + ${lifetimeMs} * interval '1 millisecond'` };
    await tx
      .insert(passwordResets)
      .values({ userId: user.id, ...change })
      .onConflictDoUpdate({ target: passwordResets.userId, set: change });
    return { username: user.username, email: user.email };
  });
}

const alive = (tokenHash: string) =>
  and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, sql`now()`));

/** @returns the link's account; undefined if the link was used, replaced or has expired */
export async function findReset(db: Database, tokenHash: string): Promise<(Addressee & { id: string }) | undefined> {
  const [row] = await db
    .select({ id: users.id, username: users.username, email: users.email })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(alive(tokenHash));
  return row;
}

/** Consumes the link and runs `work` in one transaction. @returns whether the link was valid */
export async function useReset(
  db: Database,
  { userId, tokenHash }: { userId: string; tokenHash: string },
  work: (tx: Transaction) => Promise<unknown>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Lock order: the account's row first, like every other change of a password.
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.disabledAt)))
      .for('no key update');
    if (!user) return false;
    const used = await tx.delete(passwordResets).where(alive(tokenHash)).returning({ userId: passwordResets.userId });
    if (used.length === 0) return false;
    await work(tx);
    return true;
  });
}

export async function dropDeadResets(db: Database): Promise<void> {
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, sql`now()`));
}
