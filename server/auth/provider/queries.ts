import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { challenges, identities, sessions, type UserRow, users } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import { type Database, type Transaction, uniqueViolation } from '../../database/connect.ts';
import { emailKey } from '../account-names.ts';
import { insertUser } from '../queries.ts';
import { hasWayIn } from '../ways-in-queries.ts';

export type IdentityRow = typeof identities.$inferSelect;
export type NewIdentity = Pick<IdentityRow, 'issuer' | 'subject' | 'label'>;

/** Postgres text cannot contain NUL. */
const clean = (text: string) => text.replaceAll('\0', '\uFFFD');

const named = ({ issuer, subject }: Pick<IdentityRow, 'issuer' | 'subject'>) =>
  and(eq(identities.issuer, clean(issuer)), eq(identities.subject, clean(subject)));

/** The account of an identity, by issuer and subject alone. Also notes its use and its present label. */
export async function findByIdentity(
  db: Database,
  identity: NewIdentity,
): Promise<{ user: UserRow; identityId: string } | undefined> {
  const [used] = await db
    .update(identities)
    .set({ usedAt: sql`now()`, label: identity.label })
    .where(named(identity))
    .returning({ id: identities.id, userId: identities.userId });
  if (!used) return undefined;
  const [user] = await db.select().from(users).where(eq(users.id, used.userId));
  return user && { user, identityId: used.id };
}

async function insertIdentity(tx: Transaction, userId: string, identity: NewIdentity): Promise<string> {
  const id = uuidv7();
  const { issuer, subject, label } = identity;
  await tx.insert(identities).values({ id, userId, issuer: clean(issuer), subject: clean(subject), label });
  return id;
}

/** Whether another call has inserted the identity meanwhile. */
export const isIdentityTaken = (error: unknown): boolean => uniqueViolation(error) === 'identities_subject';

/** An account without a password, whose email the provider has verified. @throws UsernameTaken, EmailTaken, or an error for `isIdentityTaken` */
export async function insertProviderUser(
  tx: Transaction,
  account: Pick<UserRow, 'username' | 'email'> & Partial<Pick<UserRow, 'quotaImages' | 'quotaBytes'>>,
  identity: NewIdentity,
): Promise<{ user: UserRow; identityId: string }> {
  const user = await insertUser(tx, { ...account, passwordHash: null, emailConfirmedAt: new Date() });
  return { user, identityId: await insertIdentity(tx, user.id, identity) };
}

/**
 * Notes that the owner of an account which the identity has made reads its mailbox. Nothing ends: they have made all of its ways
 * in. Of other accounts, the identity may be a later one.
 */
export async function confirmByProvider(
  db: Database,
  { user, identityId, email }: { user: UserRow; identityId: string; email: unknown },
): Promise<void> {
  if (user.emailConfirmedAt || typeof email !== 'string' || emailKey(email) !== user.emailKey) return;
  const made = sql`exists (select from ${identities} where ${identities.id} = ${identityId}::uuid
    and ${identities.userId} = ${users.id} and ${identities.createdAt} = ${users.createdAt})`;
  await db
    .update(users)
    .set({ emailConfirmedAt: sql`now()` })
    .where(and(eq(users.id, user.id), isNull(users.emailConfirmedAt), made));
}

/** @returns false if another account has this identity; true also if this one has it already */
export async function linkIdentity(
  db: Database | Transaction,
  userId: string,
  identity: NewIdentity,
): Promise<boolean> {
  const [row] = await db
    .insert(identities)
    .values({ id: uuidv7(), userId, ...identity, issuer: clean(identity.issuer), subject: clean(identity.subject) })
    .onConflictDoNothing({ target: [identities.issuer, identities.subject] })
    .returning({ id: identities.id });
  if (row) return true;
  const [owner] = await db.select({ userId: identities.userId }).from(identities).where(named(identity));
  return owner?.userId === userId;
}

export async function listIdentities(db: Database, userId: string): Promise<IdentityRow[]> {
  return db.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.id));
}

type Unlinking = {
  userId: string;
  identityId: string;
  sessionId: string;
  config: Pick<Config, 'passwordLogin' | 'oidcIssuer'>;
};

/**
 * Ends the other sessions that the identity opened.
 * @returns undefined if the account has no such identity; `last` if it could not log in any more, and then nothing changed
 */
export async function unlinkIdentity(tx: Transaction, unlinking: Unlinking): Promise<IdentityRow | 'last' | undefined> {
  const { userId, identityId, sessionId, config } = unlinking;
  // Locks the account first: of two that unlink at once, the second sees what the first has left.
  const isAllowed = await hasWayIn(tx, config, userId, identityId);
  const own = and(eq(identities.id, identityId), eq(identities.userId, userId));
  const [row] = await tx.select().from(identities).where(own);
  if (!row) return undefined;
  if (!isAllowed) return 'last';
  // The session of this call continues.
  const nothing = { identityId: null, providerSid: null, idToken: null };
  await tx.update(sessions).set(nothing).where(eq(sessions.id, sessionId));
  const waiting = and(eq(challenges.kind, 'provider-session'), eq(challenges.userId, userId));
  await tx.delete(challenges).where(and(waiting, sql`${challenges.data} ->> 'identityId' = ${identityId}`));
  await tx.delete(identities).where(own);
  return row;
}

type Renewed = { sessionId: string; identityId: string; sid: string | null; idToken: string | null };

/** A session that the identity opened belongs to its latest login at the provider, so that a logout there still ends it. */
export async function renewProviderSession(
  db: Database,
  { sessionId, identityId, sid, idToken }: Renewed,
): Promise<void> {
  const own = and(eq(sessions.id, sessionId), eq(sessions.identityId, identityId));
  await db.update(sessions).set({ providerSid: sid, idToken }).where(own);
}

type Ended = Pick<UserRow, 'id' | 'username'> & { identityId: string | null; idToken: string | null };

/** @returns undefined if it has ended already */
export async function endProviderSession(db: Database | Transaction, sessionId: string): Promise<Ended | undefined> {
  const [row] = await db.execute<Ended>(sql`
    delete from ${sessions} using ${users} where ${sessions.id} = ${sessionId}::uuid and ${users.id} = ${sessions.userId}
    returning ${users.id}, ${users.username}, ${sessions.identityId} as "identityId", ${sessions.idToken} as "idToken"`);
  return row;
}

/** By which the provider names what has ended: at least one of them. */
export type EndedAtProvider = { issuer: string; subject: string | undefined; sid: string | undefined };

/** Ends sessions, and logins whose page has not fetched its session yet. @returns the accounts of the sessions, once for each session */
export async function endSessionsOf(tx: Transaction, { issuer, subject, sid }: EndedAtProvider): Promise<UserRow[]> {
  const isOurs = and(
    eq(identities.issuer, clean(issuer)),
    subject === undefined ? undefined : eq(identities.subject, clean(subject)),
  );
  const sidIs = sid === undefined ? undefined : eq(sessions.providerSid, clean(sid));
  const owned = sql`${sessions.identityId} in (select id from identities where ${isOurs})`;
  const ended = await tx.delete(sessions).where(and(owned, sidIs)).returning({ userId: sessions.userId });
  const waiting = and(
    eq(challenges.kind, 'provider-session'),
    sql`(${challenges.data} ->> 'identityId')::uuid in (select id from identities where ${isOurs})`,
    sid === undefined ? undefined : sql`${challenges.data} ->> 'sid' = ${clean(sid)}`,
  );
  await tx.delete(challenges).where(waiting);
  const rows = [];
  for (const { userId } of ended) rows.push(...(await tx.select().from(users).where(eq(users.id, userId))));
  return rows;
}
