import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { adminClaims, type UserRow, users } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { keepingAnAdmin } from '../../database/statements/last-admin.ts';
import { hashToken, newToken } from '../../mail/token.ts';

const active = and(eq(users.role, 'admin'), isNull(users.disabledAt), isNull(users.pendingSince));

/** @returns undefined if there is no such account @throws LastAdmin */
export async function setRole(
  db: Database | Transaction,
  id: string,
  role: UserRow['role'],
): Promise<UserRow | undefined> {
  return keepingAnAdmin(async () => {
    const [row] = await db.update(users).set({ role }).where(eq(users.id, id)).returning();
    return row;
  });
}

export type NewQuota = { quotaImages?: number | null; quotaBytes?: number | null };

/** @param quota null for the server's limit @returns undefined if there is no such account */
export async function setQuota(db: Database | Transaction, id: string, quota: NewQuota): Promise<UserRow | undefined> {
  const [row] = await db.update(users).set(quota).where(eq(users.id, id)).returning();
  return row;
}

/** @returns undefined if there is no such account, or if it waits for no approval */
export async function approve(db: Database | Transaction, id: string): Promise<UserRow | undefined> {
  const pending = and(eq(users.id, id), sql`${users.pendingSince} is not null`);
  const [row] = await db.update(users).set({ pendingSince: null }).where(pending).returning();
  return row;
}

export async function hasAdmin(db: Database | Transaction): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(active).limit(1)).length > 0;
}

/** @returns the token of a link that makes the first administrator; undefined if there is one already */
export async function createClaim(db: Database): Promise<string | undefined> {
  if (await hasAdmin(db)) return undefined;
  // Each start creates one.
  await db.delete(adminClaims).where(lt(adminClaims.createdAt, sql`now() - interval '30 days'`));
  const token = newToken();
  await db.insert(adminClaims).values({ tokenHash: hashToken(token) });
  return token;
}

/** SETUP_TOKEN makes the first administrator as a printed link does. */
type SetupToken = Pick<Config, 'setupToken'>;

const isSetupToken = (tokenHash: string, { setupToken }: SetupToken): boolean =>
  setupToken !== undefined && timingSafeEqual(Buffer.from(tokenHash), Buffer.from(hashToken(setupToken)));

export async function isClaim(db: Database, config: SetupToken, token: string): Promise<boolean> {
  const tokenHash = hashToken(token);
  const printed = await db.select().from(adminClaims).where(eq(adminClaims.tokenHash, tokenHash));
  return (printed.length > 0 || isSetupToken(tokenHash, config)) && !(await hasAdmin(db));
}

type Claimant = { userId: string; tokenHash: string };

/** Uses up the claim, and all others. @returns false if it is not accepted; then nothing changed */
export async function claim(tx: Transaction, config: SetupToken, { userId, tokenHash }: Claimant): Promise<boolean> {
  // One claim at a time, and none while an administrator is removed.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`);
  const used = await tx.delete(adminClaims).where(eq(adminClaims.tokenHash, tokenHash)).returning();
  if ((used.length === 0 && !isSetupToken(tokenHash, config)) || (await hasAdmin(tx))) return false;
  await tx.delete(adminClaims);
  const made = await tx
    .update(users)
    .set({ role: 'admin', pendingSince: null })
    .where(eq(users.id, userId))
    .returning();
  return made.length > 0;
}
