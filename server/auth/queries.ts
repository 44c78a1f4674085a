import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { sessions, type UserRow, users } from '../../drizzle/schema.ts';
import { type Database, uniqueViolation } from '../database/connect.ts';
import { EmailTaken, UsernameTaken } from '../errors.ts';
import { foldCase } from '../fold.ts';

/** Postgres takes no NUL in a text; an email that holds one is nobody's. */
export const emailKey = (email: string) => foldCase(email.normalize('NFKC').replaceAll('\0', '\uFFFD'));
export const usernameKey = (username: string) => foldCase(username.normalize('NFKC'));

type NewUser = { username: string; email: string; passwordHash: string };

/** @throws UsernameTaken, EmailTaken */
export async function insertUser(db: Database, user: NewUser): Promise<UserRow> {
  const keys = { usernameKey: usernameKey(user.username), emailKey: emailKey(user.email) };
  try {
    const [row] = await db
      .insert(users)
      .values({ id: uuidv7(), ...user, ...keys })
      .returning();
    if (!row) throw new Error('an insert answered no row');
    return row;
  } catch (error) {
    const constraint = uniqueViolation(error);
    if (constraint === 'users_username_key_unique') throw new UsernameTaken();
    if (constraint === 'users_email_key_unique') throw new EmailTaken();
    throw error;
  }
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)));
  return row;
}

export async function insertSession(
  db: Database,
  userId: string,
  lifetimeMs: number,
): Promise<{ id: string; userId: string }> {
  const session = { id: uuidv7(), userId };
  const expiresAt = sql`now() + ${lifetimeMs} * interval '1 millisecond'`;
  await db.insert(sessions).values({ ...session, expiresAt });
  return session;
}

/** @returns the user of a session that is alive */
export async function findSessionUser(db: Database, sessionId: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select({ user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, sql`now()`)));
  return row?.user;
}

export async function deleteSession(db: Database, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

export async function deleteEndedSessions(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

/** Every account, the oldest first. */
export async function listUsers(db: Database): Promise<UserRow[]> {
  return db.select().from(users).orderBy(users.createdAt, users.id);
}
