import { and, desc, eq, gt, isNull, lt, notInArray, sql } from 'drizzle-orm';
import { passwordResets, type UserRow, users } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { emailKey } from '../account-names.ts';

/** Links of an account that work at once: as many as are mailed to it in an hour, in which they end. */
export const maxLinks = 5;

type Addressee = { username: string; email: string };

/**
 * Adds a reset link. Earlier ones still work, so that nobody ends a link by requesting another one for the same email.
 * Locks the account's row, so that a concurrent change cannot be missed.
 * @param whose by `email`: the link is mailed, so that its use proves the mailbox
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
      .for('no key update');
    if (!user) return undefined;
    const expiresAt = sql`now() + ${lifetimeMs} * interval '1 millisecond'`;
    await tx.insert(passwordResets).values({ tokenHash, userId: user.id, mailed: 'email' in whose, expiresAt });
    const own = and(eq(passwordResets.userId, user.id), eq(passwordResets.mailed, 'email' in whose));
    const latest = tx
      .select({ tokenHash: passwordResets.tokenHash })
      .from(passwordResets)
      .where(own)
      .orderBy(desc(eq(passwordResets.tokenHash, tokenHash)), desc(passwordResets.createdAt))
      .limit(maxLinks);
    await tx.delete(passwordResets).where(and(own, notInArray(passwordResets.tokenHash, latest)));
    return { username: user.username, email: user.email };
  });
}

const alive = (tokenHash: string) =>
  and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, sql`now()`));

/** `confirms`: using it is the first proof of the account's mailbox. */
export type Reset = Pick<UserRow, 'id' | 'username' | 'email'> & { confirms: boolean };

/** @returns the link's account; undefined if the link was used, replaced or has expired */
export async function findReset(db: Database | Transaction, tokenHash: string): Promise<Reset | undefined> {
  const confirms = sql<boolean>`${passwordResets.mailed} and ${users.emailConfirmedAt} is null`;
  const [row] = await db
    .select({ id: users.id, username: users.username, email: users.email, confirms })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(alive(tokenHash));
  return row;
}

/** Consumes the link and runs `work` in one transaction. All other links of the account end too. @returns whether the link was valid */
export async function useReset(
  db: Database,
  { userId, tokenHash }: { userId: string; tokenHash: string },
  work: (tx: Transaction, reset: Reset) => Promise<unknown>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Lock order: the account's row first, like every other change of a password.
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.disabledAt)))
      .for('no key update');
    if (!user) return false;
    const reset = await findReset(tx, tokenHash);
    if (!reset) return false;
    await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
    await work(tx, reset);
    return true;
  });
}

export async function dropDeadResets(db: Database): Promise<void> {
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, sql`now()`));
}
