/** Queries by which owners read and change their account. Each is limited to the given account. */
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import {
  emailChanges,
  passwordResets,
  type SessionRow,
  sessions,
  type UserRow,
  users,
} from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { type ConfirmedUser, unchangedUser } from '../../database/statements/unchanged-user.ts';
import { emailKey, takenName, usernameKey } from '../account-names.ts';

type Names = { username?: string | undefined; email?: string | undefined };

/** Of another mailbox, which nobody has proved to read. */
function newEmail(email: string) {
  const key = emailKey(email);
  const emailConfirmedAt = sql`case when ${users.emailKey} = ${key} then ${users.emailConfirmedAt} end`;
  return { email, emailKey: key, emailConfirmedAt };
}

/**
 * A new email also ends reset links mailed to the old one, and a pending email.
 * @param confirmed the account as it was when its password was checked, if the email changes
 * @returns undefined if the account was deleted or has changed since
 * @throws UsernameTaken, EmailTaken
 */
export async function changeNames(
  db: Database | Transaction,
  userId: string,
  { username, email }: Names,
  confirmed?: ConfirmedUser,
): Promise<UserRow | undefined> {
  const change = {
    ...(username === undefined ? {} : { username: username.normalize('NFC'), usernameKey: usernameKey(username) }),
    ...(email === undefined ? {} : newEmail(email)),
  };
  const own = and(eq(users.id, userId), confirmed && unchangedUser(confirmed));
  if (Object.keys(change).length === 0) return (await db.select().from(users).where(own).for('no key update'))[0];
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx.update(users).set(change).where(own).returning();
      if (row && email !== undefined) {
        for (const links of [passwordResets, emailChanges]) await tx.delete(links).where(eq(links.userId, userId));
      }
      return row;
    });
  } catch (error) {
    throw takenName(error);
  }
}

/** Live sessions, most recently used first. */
export async function listSessions(db: Database, userId: string): Promise<SessionRow[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.seenAt), desc(sessions.id));
}

/** @returns whether the account had this session */
export async function endSession(db: Database | Transaction, userId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

type Proofs = Pick<UserRow, 'emailConfirmedAt'> & { hasPassword: boolean };

export async function readProofs(db: Database, userId: string): Promise<Proofs> {
  const { emailConfirmedAt } = users;
  const hasPassword = sql<boolean>`${users.passwordHash} is not null`;
  const [row] = await db.select({ emailConfirmedAt, hasPassword }).from(users).where(eq(users.id, userId));
  return row ?? { emailConfirmedAt: null, hasPassword: false };
}
