import { and, count, eq, ne, sql } from 'drizzle-orm';
import { identities, passkeys, users } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
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
