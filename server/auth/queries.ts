import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import {
  apiTokens,
  emailChanges,
  passwordResets,
  type SessionRow,
  sessions,
  type UserRow,
  users,
} from '../../drizzle/schema.ts';
import type { ClientDatabase, Database, Transaction } from '../database/connect.ts';
import { prepared } from '../database/driver/prepared.ts';
import { keepingAnAdmin } from '../database/statements/last-admin.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { type ConfirmedUser, unchangedUser } from '../database/statements/unchanged-user.ts';
import { EmailTaken, Unauthorized } from '../errors.ts';
import { foldText } from '../lib/fold.ts';
import { emailKey, takenName, usernameKey } from './account-names.ts';

/** Characters kept of a User-Agent. */
const longestAgent = 512;

type NewUser = Pick<UserRow, 'username' | 'email' | 'passwordHash'> &
  Partial<Pick<UserRow, 'quotaImages' | 'quotaBytes' | 'emailConfirmedAt'>> & { isPending?: boolean };

/** @throws UsernameTaken, EmailTaken */
export async function insertUser(db: Database | Transaction, { isPending, ...user }: NewUser): Promise<UserRow> {
  const username = user.username.normalize('NFC');
  const keys = { usernameKey: usernameKey(user.username), emailKey: emailKey(user.email) };
  const pendingSince = isPending ? sql`now()` : null;
  try {
    const [row] = await db
      .insert(users)
      .values({ id: uuidv7(), ...user, username, ...keys, pendingSince })
      .returning();
    if (!row) throw new Error('an insert answered no row');
    return row;
  } catch (error) {
    throw takenName(error);
  }
}

/** Days after which an account that nobody has approved is deleted, so that it does not hold its name and email for good. */
const APPROVAL_DAYS = 30;

/** They cannot have stored anything, because they have never logged in. */
export async function deleteUnapproved(tx: Transaction): Promise<Pick<UserRow, 'id' | 'username'>[]> {
  const before = sql`now() - make_interval(days => ${APPROVAL_DAYS})`;
  return tx
    .delete(users)
    .where(and(lt(users.pendingSince, before), eq(users.imageCount, 0)))
    .returning({ id: users.id, username: users.username });
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)));
  return row;
}

/**
 * An email of before domains were compared in ASCII gets its key again. The key of before may be ASCII too, as that of `ß` was `ss`.
 * Of two that are the same by now, both keep theirs.
 */
export async function foldEmails(db: Database, log: { warn(fields: object, message: string): void }): Promise<void> {
  const unfolded = sql`${users.email} ~ '[^\\x01-\\x7f][^@]*$'`;
  const rows = await db.select({ id: users.id, email: users.email, key: users.emailKey }).from(users).where(unfolded);
  for (const { id, email, key } of rows) {
    if (emailKey(email) === key) continue;
    try {
      await db
        .update(users)
        .set({ emailKey: emailKey(email) })
        .where(eq(users.id, id));
    } catch (error) {
      if (!(takenName(error) instanceof EmailTaken)) throw error;
      log.warn({ account: id }, 'another account has the same email; this one cannot log in by it');
    }
  }
}

/** @param name an email, a username or an id. A username may be typed as in a search, if only one is alike. */
export async function findUser(db: Database, name: string): Promise<UserRow | undefined> {
  if (name.includes('@')) return findUserByEmail(db, name);
  const key = usernameKey(name.toWellFormed().replaceAll('\0', '\uFFFD'));
  const named = isUuid(name) ? eq(users.id, name) : eq(users.usernameKey, key);
  const [row] = await db.select().from(users).where(named);
  if (row || isUuid(name)) return row;
  const [alike, ...others] = await db
    .select()
    .from(users)
    .where(sql`fold_text(${users.usernameKey}) = ${foldText(key)}`)
    .limit(2);
  return others.length === 0 ? alike : undefined;
}

/** Sessions of one account; those unused for longest end. A script that logs in at each run would fill the table. */
const maxSessions = 200;

async function endOldest(db: Database | Transaction, userId: string): Promise<void> {
  const oldest = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.seenAt), desc(sessions.id))
    .offset(maxSessions);
  await db.delete(sessions).where(inArray(sessions.id, oldest));
}

/** How a session is opened; by default by a password alone. */
type Opening = Partial<
  Pick<SessionRow, 'method' | 'secondFactor' | 'identityId' | 'providerSid' | 'idToken'> & {
    /** When its owner logged in; by default now. */
    createdAt: Date;
  }
>;

type SessionStart = { lifetimeMs: number; userAgent: string | undefined } & Opening;
type NewSession = { id: string; userId: string };

/**
 * Locks the account's row, so that a concurrent password change or deletion cannot be missed.
 * @param user as it was when its password was checked
 * @returns undefined if it has been disabled, deleted or given another password since
 */
export async function insertSession(
  db: Database | Transaction,
  user: ConfirmedUser,
  { lifetimeMs, userAgent, ...opening }: SessionStart,
): Promise<NewSession | undefined> {
  const { method = 'password', secondFactor = null, identityId = null, providerSid = null, idToken = null } = opening;
  const loggedInAt = opening.createdAt?.toISOString() ?? null;
  const session = db
    .select({
      id: sql<string>`${uuidv7()}::uuid`.as('id'),
      userId: users.id,
      createdAt: sql<Date>`coalesce(${loggedInAt}::timestamptz, now())`.as('created_at'),
      expiresAt: sql<Date>`now() + ${lifetimeMs} * interval '1 millisecond'`.as('expires_at'),
      userAgent: sql<string | null>`${userAgent?.replaceAll('\0', '').slice(0, longestAgent) ?? null}::text`.as(
        'user_agent',
      ),
      seenAt: sql<Date>`now()`.as('seen_at'),
      method: sql<typeof method>`${method}::text`.as('method'),
      secondFactor: sql<typeof secondFactor>`${secondFactor}::text`.as('second_factor'),
      identityId: sql<string | null>`${identityId}::uuid`.as('identity_id'),
      providerSid: sql<string | null>`${providerSid}::text`.as('provider_sid'),
      idToken: sql<string | null>`${idToken}::text`.as('id_token'),
    })
    .from(users)
    .where(unchangedUser(user))
    .for('share');
  const [row] = await db.insert(sessions).select(session).returning({ id: sessions.id, userId: sessions.userId });
  if (row) await endOldest(db, user.id);
  return row;
}

/** A session that replaces this one was opened in the same way, by the same login. @throws Unauthorized if this one has ended */
async function openingOf(tx: Transaction, userId: string, sessionId: string): Promise<Opening> {
  const { method, secondFactor, identityId, providerSid, idToken, createdAt } = sessions;
  const [opening] = await tx
    .select({ method, secondFactor, identityId, providerSid, idToken, createdAt })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
  if (!opening) throw new Unauthorized();
  return opening;
}

export type Account = Pick<
  UserRow,
  'id' | 'username' | 'email' | 'role' | 'createdAt' | 'imageCount' | 'imageBytes' | 'quotaImages' | 'quotaBytes'
>;

/** `isUnseen`: `seen_at` has not been updated for a while. `hasFactor`: undefined if it was not asked for. */
type SessionAccount = Account & { isUnseen: boolean; hasFactor?: boolean | undefined };

export const accountColumns = `users.id, username, email, date_part('epoch', users.created_at) * 1000 as "createdAt",
    role, image_count as "imageCount", image_bytes as "imageBytes", quota_images as "quotaImages",
    quota_bytes as "quotaBytes"`;

/** As the driver returns them. */
export type AccountColumns = Omit<Account, 'createdAt' | 'imageBytes' | 'quotaBytes'> & {
  createdAt: number;
  imageBytes: string;
  quotaBytes: string | null;
};

export const accountOf = ({ id, username, email, role, ...row }: AccountColumns): Account => ({
  ...{ id, username, email, role },
  createdAt: new Date(Math.round(row.createdAt)),
  imageCount: row.imageCount,
  imageBytes: Number(row.imageBytes),
  quotaImages: row.quotaImages,
  quotaBytes: row.quotaBytes === null ? null : Number(row.quotaBytes),
});

/** A provider asks for its own second factor. */
const hasFactor = `((sessions.method = 'provider' and sessions.identity_id is not null)
    or exists (select from passkeys where passkeys.user_id = users.id)
    or exists (select from totp_secrets where totp_secrets.user_id = users.id and confirmed_at is not null))`;

const sessionAccountWith = (columns = '') => `
  select ${accountColumns}, seen_at < now() - interval '5 minutes' as "isUnseen"${columns}
  from sessions join users on users.id = sessions.user_id
  where sessions.id = $1 and sessions.expires_at > now() and users.disabled_at is null and users.pending_since is null`;

/** Runs with every call. */
export const sessionAccount = sessionAccountWith();

const statements = { plain: sessionAccount, withFactors: sessionAccountWith(`, ${hasFactor} as "hasFactor"`) };

/** @returns the account of a live session, unless it is disabled */
export async function findSessionAccount(
  db: ClientDatabase,
  sessionId: string,
  asks: keyof typeof statements = 'plain',
): Promise<SessionAccount | undefined> {
  type Row = AccountColumns & Pick<SessionAccount, 'isUnseen' | 'hasFactor'>;
  const [row] = await prepared<Row>(db, statements[asks], [sessionId]);
  return row && { ...accountOf(row), isUnseen: row.isUnseen, hasFactor: row.hasFactor };
}

/** Writes at most once in five minutes, even with concurrent calls. */
export async function markSeen(db: Database, sessionId: string): Promise<void> {
  const unseen = lt(sessions.seenAt, sql`now() - interval '5 minutes'`);
  await db
    .update(sessions)
    .set({ seenAt: sql`now()` })
    .where(and(eq(sessions.id, sessionId), unseen));
}

/** @returns its account; undefined if it has ended already */
export async function deleteSession(
  db: Database | Transaction,
  sessionId: string,
): Promise<Pick<UserRow, 'id' | 'username'> | undefined> {
  const [user] = await db.execute<Pick<UserRow, 'id' | 'username'>>(sql`
    delete from ${sessions} using ${users} where ${sessions.id} = ${sessionId}::uuid and ${users.id} = ${sessions.userId}
    returning ${users.id}, ${users.username}`);
  return user;
}

export async function deleteEndedSessions(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

export async function listUsers(db: Database): Promise<UserRow[]> {
  return db.select().from(users).orderBy(users.createdAt, users.id);
}

/** Ends the sessions of one user, or all. @returns how many */
export async function endSessions(db: Pick<Database, 'delete'>, userId?: string): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(userId === undefined ? undefined : eq(sessions.userId, userId))
    .returning({ id: sessions.id });
  return ended.length;
}

/** Ends the sessions of an account but this one. @returns how many */
export async function endOtherSessions(db: Database | Transaction, userId: string, id: string): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, id)))
    .returning({ id: sessions.id });
  return ended.length;
}

/** Sets a new password and ends every session. @returns how many */
export async function setPassword(db: Database | Transaction, userId: string, passwordHash: string): Promise<number> {
  return db.transaction((tx) => changeUser(tx, userId, { passwordHash }));
}

/**
 * Ends the account's sessions in both directions.
 * @param withLinks also silences its public links; only enabling opens them again
 * @returns how many sessions ended
 * @throws LastAdmin
 */
export async function setDisabled(
  db: Database | Transaction,
  userId: string,
  disabled: boolean,
  withLinks = false,
): Promise<number> {
  const disabledAt = disabled ? sql`coalesce(${users.disabledAt}, now())` : null;
  const linksSilencedAt = disabled ? sql`coalesce(${users.linksSilencedAt}, now())` : null;
  const links = withLinks || !disabled ? { linksSilencedAt } : {};
  return keepingAnAdmin(() => db.transaction((tx) => changeUser(tx, userId, { disabledAt, ...links })));
}

type Renewal = { sessionId: string; start: SessionStart };

/**
 * Sets a new password for the owner, whose browser continues in a new session.
 * @param user as it was when its password was checked
 * @returns how many other sessions and how many API tokens ended, and the new session; undefined if the account has changed since
 * @throws Unauthorized if the session has ended meanwhile
 */
export async function changePassword(
  tx: Transaction,
  user: ConfirmedUser,
  { passwordHash, sessionId, start, endsTokens }: Renewal & { passwordHash: string; endsTokens: boolean },
): Promise<{ ended: number; endedTokens: number; session: NewSession } | undefined> {
  const changed = await tx.update(users).set({ passwordHash }).where(unchangedUser(user)).returning({ id: users.id });
  if (changed.length === 0) return undefined;
  const opening = await openingOf(tx, user.id, sessionId);
  const ended = await endAccess(tx, user.id);
  const endedTokens = endsTokens ? await endTokens(tx, user.id) : 0;
  const session = await insertSession(tx, { ...user, passwordHash }, { ...start, ...opening });
  return session && { ended: ended.filter((id) => id !== sessionId).length, endedTokens, session };
}

/** Replaces one session by another. @returns undefined if the account has changed since @throws Unauthorized if the session has ended */
export async function renewSession(
  db: Database,
  user: ConfirmedUser,
  { sessionId, start }: Renewal,
): Promise<NewSession | undefined> {
  return underOwnerLock(db, user.id, async (tx) => {
    const opening = await openingOf(tx, user.id, sessionId);
    const session = await insertSession(tx, user, { ...start, ...opening });
    if (session) await tx.delete(sessions).where(and(eq(sessions.id, sessionId), eq(sessions.userId, user.id)));
    return session;
  });
}

type Changes = Pick<Database, 'update' | 'delete'>;

/** Changes the row first: a login in progress waits for it and then sees the change. @returns how many sessions ended */
export async function changeUser(
  tx: Changes,
  userId: string,
  change: PgUpdateSetSource<typeof users>,
): Promise<number> {
  await tx.update(users).set(change).where(eq(users.id, userId));
  return (await endAccess(tx, userId)).length;
}

/** Ends all API tokens of an account. @returns how many */
export async function endTokens(tx: Changes, userId: string): Promise<number> {
  const ended = await tx.delete(apiTokens).where(eq(apiTokens.ownerId, userId)).returning({ id: apiTokens.id });
  return ended.length;
}

/** Ends what the old password granted: sessions, reset links, a pending email. @returns ids of the ended sessions */
async function endAccess(tx: Changes, userId: string): Promise<string[]> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId));
  const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
