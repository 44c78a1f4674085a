import { and, count, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import {
  apiTokens,
  challenges,
  collectLinks,
  devices,
  emailChanges,
  identities,
  passkeys,
  passwordResets,
  recoveryCodes,
  sessions,
  totpSecrets,
  users,
} from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import type { WaysIn } from '../contract.ts';
import type { Database, Transaction } from '../database/connect.ts';

const withoutSlash = (text: unknown) => sql`rtrim(${text}, '/')`;

/** Whether the account has an identity at the server's provider. */
export async function hasIdentity(db: Database, userId: string, oidcIssuer = ''): Promise<boolean> {
  const current = sql`${withoutSlash(identities.issuer)} = ${withoutSlash(oidcIssuer)}`;
  return (await db.$count(identities, and(eq(identities.userId, userId), current))) > 0;
}

/**
 * Whether the account can log in: by a password if the server takes them, an identity at its provider, or a passkey. Locks the account,
 * so that of two removals at once the second sees what the first has left.
 * @param without an identity that is to be removed
 */
export async function hasWayIn(
  tx: Transaction,
  { passwordLogin, oidcIssuer = '' }: Pick<Config, 'passwordLogin' | 'oidcIssuer'>,
  userId: string,
  without?: string,
): Promise<boolean> {
  const [user] = await tx.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId)).for('update');
  if (passwordLogin === 'on' && user?.hash != null) return true;
  const current = sql`${withoutSlash(identities.issuer)} = ${withoutSlash(oidcIssuer)}`;
  const others = and(
    eq(identities.userId, userId),
    without === undefined ? undefined : ne(identities.id, without),
    current,
  );
  const [linked] = await tx.select({ total: count() }).from(identities).where(others);
  const [keys] = await tx.select({ total: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return (linked?.total ?? 0) + (keys?.total ?? 0) > 0;
}

/** What opens an account besides its password and its sessions. */
export async function listWaysIn(db: Database | Transaction, userId: string): Promise<WaysIn> {
  const lasts = (expiresAt: typeof apiTokens.expiresAt | typeof collectLinks.expiresAt) =>
    or(isNull(expiresAt), gt(expiresAt, sql`now()`));
  const tokens = db
    .select({ name: apiTokens.name })
    .from(apiTokens)
    .where(and(eq(apiTokens.ownerId, userId), lasts(apiTokens.expiresAt)))
    .orderBy(apiTokens.id);
  const keys = db
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.id);
  const linked = db
    .select({ name: identities.label })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(identities.id);
  const collecting = and(isNull(collectLinks.endedAt), lasts(collectLinks.expiresAt));
  const links = db
    .select({ name: collectLinks.name })
    .from(collectLinks)
    .where(and(eq(collectLinks.ownerId, userId), collecting))
    .orderBy(collectLinks.id);
  const confirmed = and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt));
  const namesOf = async (rows: Promise<{ name: string }[]>) => (await rows).map(({ name }) => name);
  return {
    api_tokens: await namesOf(tokens.execute()),
    passkeys: await namesOf(keys.execute()),
    identities: await namesOf(linked.execute()),
    authenticator_app: (await db.$count(totpSecrets, confirmed)) > 0,
    collect_links: await namesOf(links.execute()),
  };
}

/**
 * Notes a proof of the mailbox. The first one ends every way in that was made before: its maker may have been someone else,
 * who only knew the email. The password stays, and mails about logins are on again. Call after the account's row is locked.
 * @returns whether it was the first
 */
export async function confirmMailbox(tx: Transaction, userId: string): Promise<boolean> {
  const first = await tx
    .update(users)
    .set({ emailConfirmedAt: sql`now()`, loginMails: true })
    .where(and(eq(users.id, userId), isNull(users.emailConfirmedAt)))
    .returning({ id: users.id });
  if (first.length === 0) return false;
  const owned = [sessions, identities, passkeys, totpSecrets, recoveryCodes, challenges, devices];
  for (const table of [...owned, passwordResets, emailChanges]) await tx.delete(table).where(eq(table.userId, userId));
  await tx.delete(apiTokens).where(eq(apiTokens.ownerId, userId));
  await tx
    .update(collectLinks)
    .set({ endedAt: sql`now()` })
    .where(and(eq(collectLinks.ownerId, userId), isNull(collectLinks.endedAt)));
  return true;
}
