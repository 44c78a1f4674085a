import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { devices, emailChanges, passwordResets, type UserRow, users } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { underOwnerLock } from '../../database/statements/owner-lock.ts';
import { type ConfirmedUser, unchangedUser } from '../../database/statements/unchanged-user.ts';
import { EmailTaken } from '../../errors.ts';
import { emailKey, takenName } from '../account-names.ts';
import { confirmMailbox } from '../ways-in-queries.ts';

type Link = { tokenHash: string; lifetimeMs: number };
export type PendingEmail = { email: string; expiresAt: Date };
/** `isNew`: the account has another email; `isConfirmed`: a mailbox of the account was proved before. */
export type Unconfirmed = { email: string; isNew: boolean; isConfirmed: boolean };

const inTime = gt(emailChanges.expiresAt, sql`now()`);
const ending = (lifetimeMs: number) => sql`now() + ${lifetimeMs} * interval '1 millisecond'`;

/**
 * Replaces the account's pending email. Locks the account's row, so that a concurrent password change cannot be missed.
 * @param user as it was when its password was checked
 * @returns whether it is unchanged since
 * @throws EmailTaken
 */
export async function insertEmailChange(
  tx: Transaction,
  user: ConfirmedUser,
  { email, tokenHash, lifetimeMs }: Link & { email: string },
): Promise<boolean> {
  const [row] = await tx.select({ id: users.id }).from(users).where(unchangedUser(user)).for('share');
  if (!row) return false;
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.emailKey, emailKey(email)), ne(users.id, user.id)));
  if (other) throw new EmailTaken();
  const change = { email, tokenHash, expiresAt: ending(lifetimeMs) };
  await tx
    .insert(emailChanges)
    .values({ userId: user.id, ...change })
    .onConflictDoUpdate({ target: emailChanges.userId, set: change });
  return true;
}

/** @returns undefined if no other email is pending */
export async function findEmailChange(
  db: Database,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<PendingEmail | undefined> {
  const [row] = await db
    .select({ email: emailChanges.email, expiresAt: emailChanges.expiresAt })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, id), inTime));
  return row && emailKey(row.email) !== emailKey(email) ? row : undefined;
}

/** Replaces the link for a pending email, or for the account's own if that is not confirmed. @returns undefined if there is nothing to confirm */
export async function renewEmailChange(
  tx: Transaction,
  userId: string,
  { tokenHash, lifetimeMs }: Link,
): Promise<(PendingEmail & Unconfirmed) | undefined> {
  const change = { tokenHash, expiresAt: ending(lifetimeMs) };
  const pending = { email: emailChanges.email, expiresAt: emailChanges.expiresAt };
  const { email, emailConfirmedAt } = users;
  const [own] = await tx.select({ email, emailConfirmedAt }).from(users).where(eq(users.id, userId)).for('share');
  if (!own) return undefined;
  const isConfirmed = own.emailConfirmedAt !== null;
  const [row] = await tx
    .update(emailChanges)
    .set(change)
    .where(and(eq(emailChanges.userId, userId), inTime))
    .returning(pending);
  if (row) return { ...row, isNew: emailKey(row.email) !== emailKey(own.email), isConfirmed };
  if (isConfirmed) return undefined;
  const [inserted] = await tx
    .insert(emailChanges)
    .values({ userId, email: own.email, ...change })
    .onConflictDoUpdate({ target: emailChanges.userId, set: { email: own.email, ...change } })
    .returning(pending);
  return inserted && { ...inserted, isNew: false, isConfirmed };
}

export async function deleteEmailChange(db: Database, userId: string): Promise<void> {
  await db.delete(emailChanges).where(eq(emailChanges.userId, userId));
}

type Confirmed = Pick<UserRow, 'id' | 'username' | 'email'> & {
  /** Undefined if the link confirmed the email that the account has. */
  formerEmail: string | undefined;
  /** Whether it was the first proof of the mailbox, which ended every earlier way in. */
  isFirst: boolean;
};

/**
 * Uses up the link, sets the email, ends reset links mailed to the old one. Where nobody logs in by a password, the mailbox
 * opens no account, and its proof ends nothing.
 * @returns the account; undefined if the link was not valid @throws EmailTaken
 */
export async function confirmEmailChange(
  tx: Transaction,
  tokenHash: string,
  { passwordLogin }: Pick<Config, 'passwordLogin'>,
): Promise<Confirmed | undefined> {
  const alive = and(eq(emailChanges.tokenHash, tokenHash), inTime);
  const [found] = await tx.select({ userId: emailChanges.userId }).from(emailChanges).where(alive);
  if (!found) return undefined;
  const own = eq(users.id, found.userId);
  // Lock order: the account's row first, like every other change of it.
  const [user] = await tx
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    .where(and(own, isNull(users.disabledAt)))
    .for('no key update');
  const [used] = user ? await tx.delete(emailChanges).where(alive).returning({ email: emailChanges.email }) : [];
  if (!user || !used) return undefined;
  const key = emailKey(used.email);
  const isOther = key !== emailKey(user.email);
  // For an account that was confirmed before, this is another proof.
  const emailConfirmedAt = sql`case when ${users.emailConfirmedAt} is not null then now() end`;
  const change = { email: used.email, emailKey: key, emailConfirmedAt };
  try {
    await tx.update(users).set(change).where(own);
  } catch (error) {
    throw takenName(error);
  }
  await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  const isFirst = passwordLogin === 'on' && (await confirmMailbox(tx, user.id));
  return { ...user, email: used.email, formerEmail: isOther ? user.email : undefined, isFirst };
}

export async function dropDeadEmailChanges(db: Database): Promise<void> {
  await db.delete(emailChanges).where(lt(emailChanges.expiresAt, sql`now()`));
}

export async function readLoginMails(db: Database, userId: string): Promise<boolean> {
  const [row] = await db.select({ loginMails: users.loginMails }).from(users).where(eq(users.id, userId));
  return row?.loginMails ?? true;
}

/** @returns whether they were on before */
export async function setLoginMails(db: Database | Transaction, userId: string, loginMails: boolean): Promise<boolean> {
  const changed = await db
    .update(users)
    .set({ loginMails })
    .where(and(eq(users.id, userId), ne(users.loginMails, loginMails)))
    .returning({ id: users.id });
  return changed.length > 0 ? !loginMails : loginMails;
}

/** Devices of one account; those unused for longest are deleted. */
const maxDevices = 50;

/**
 * Records the device of a login. A new one is recorded under the account's lock, so that only one of two concurrent first
 * logins is the first.
 * @returns `known`: the account has logged in from this device before; `first`: it had no device at all
 * @throws Unauthorized if the account is deleted
 */
export async function seeDevice(
  db: Database,
  { id: userId }: Pick<UserRow, 'id'>,
  keyHash: string,
): Promise<{ known: boolean; first: boolean }> {
  const own = eq(devices.userId, userId);
  const seen = { seenAt: sql`now()` };
  const [known] = await db
    .update(devices)
    .set(seen)
    .where(and(own, eq(devices.keyHash, keyHash)))
    .returning({ keyHash: devices.keyHash });
  if (known) return { known: true, first: false };
  return underOwnerLock(db, userId, async (tx) => {
    const before = await tx.select({ keyHash: devices.keyHash }).from(devices).where(own);
    await tx
      .insert(devices)
      .values({ userId, keyHash })
      .onConflictDoUpdate({ target: [devices.userId, devices.keyHash], set: seen });
    if (before.length >= maxDevices) {
      const oldest = tx
        .select({ keyHash: devices.keyHash })
        .from(devices)
        .where(own)
        .orderBy(desc(devices.seenAt), devices.keyHash)
        .offset(maxDevices);
      await tx.delete(devices).where(and(own, inArray(devices.keyHash, oldest)));
    }
    return { known: before.some((row) => row.keyHash === keyHash), first: before.length === 0 };
  });
}
