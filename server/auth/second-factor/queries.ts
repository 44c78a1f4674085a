import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { passkeys, recoveryCodes, totpSecrets, users } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { FactorExists, LastFactor, LastWayIn } from '../../errors.ts';
import { hasWayIn } from '../ways-in-queries.ts';

export type FactorCounts = { passkeys: number; hasTotp: boolean; recoveryCodes: number; hasPassword: boolean };

const isNone = ({ passkeys, hasTotp }: FactorCounts) => passkeys === 0 && !hasTotp;

/** Whether a login by password is followed by a second factor. */
export const hasFactor = (counts: FactorCounts): boolean => !isNone(counts);

/** Whether the owner logs in, and confirms changes, by a password. Then a login at the provider confirms nothing. */
export const usesPassword = (
  { passwordLogin }: Pick<Config, 'passwordLogin'>,
  { hasPassword }: Pick<FactorCounts, 'hasPassword'>,
) => hasPassword && passwordLogin === 'on';

/** What an account has. */
export async function countFactors(db: Database | Transaction, userId: string): Promise<FactorCounts> {
  const confirmed = and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt));
  const [row] = await db
    .select({
      passkeys: db.$count(passkeys, eq(passkeys.userId, userId)),
      totp: db.$count(totpSecrets, confirmed),
      recoveryCodes: db.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
    })
    .from(users)
    .where(eq(users.id, userId));
  const { totp = 0, ...rest } = row ?? { passkeys: 0, recoveryCodes: 0, hasPassword: false };
  return { ...rest, hasTotp: totp > 0 };
}

/** Replaces one that was not confirmed. Call under the owner's lock. @throws FactorExists */
export async function putTotpSecret(tx: Transaction, userId: string, secret: string): Promise<void> {
  const put = await tx
    .insert(totpSecrets)
    .values({ userId, secret })
    .onConflictDoUpdate({
      target: totpSecrets.userId,
      set: { secret, lastStep: 0 },
      setWhere: isNull(totpSecrets.confirmedAt),
    })
    .returning({ userId: totpSecrets.userId });
  if (put.length === 0) throw new FactorExists();
}

/** @param isConfirmed whether its owner has given a first code */
export async function readTotpSecret(db: Database, userId: string, isConfirmed: boolean): Promise<string | undefined> {
  const state = isConfirmed ? isNotNull(totpSecrets.confirmedAt) : isNull(totpSecrets.confirmedAt);
  const [row] = await db
    .select({ secret: totpSecrets.secret })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), state));
  return row?.secret;
}

/** Of the apps that are set up. */
export async function listTotpSecrets(db: Database): Promise<{ userId: string; secret: string }[]> {
  const { userId, secret, confirmedAt } = totpSecrets;
  return db.select({ userId, secret }).from(totpSecrets).where(isNotNull(confirmedAt)).orderBy(userId);
}

/** @param secret as it was when the code was checked @returns whether it is still that one, and unconfirmed */
export async function confirmTotp(tx: Transaction, userId: string, secret: string, step: number): Promise<boolean> {
  const unconfirmed = and(eq(totpSecrets.secret, secret), isNull(totpSecrets.confirmedAt));
  const confirmed = await tx
    .update(totpSecrets)
    .set({ confirmedAt: sql`now()`, lastStep: step })
    .where(and(eq(totpSecrets.userId, userId), unconfirmed))
    .returning({ userId: totpSecrets.userId });
  return confirmed.length > 0;
}

/** Uses up a time step and all before it, in one statement. @returns false if it was used up already */
export async function spendTotpStep(db: Database, userId: string, secret: string, step: number): Promise<boolean> {
  const same = and(eq(totpSecrets.userId, userId), eq(totpSecrets.secret, secret), isNotNull(totpSecrets.confirmedAt));
  const used = await db
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(and(same, lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return used.length > 0;
}

/** @returns whether the account had a confirmed one */
export async function deleteTotp(tx: Transaction, userId: string): Promise<boolean> {
  const deleted = await tx
    .delete(totpSecrets)
    .where(eq(totpSecrets.userId, userId))
    .returning({ confirmedAt: totpSecrets.confirmedAt });
  return deleted.some(({ confirmedAt }) => confirmedAt !== null);
}

/** Replaces all codes of the account. Call under the owner's lock. */
export async function putRecoveryCodes(tx: Transaction, userId: string, hashes: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

export async function deleteRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Uses the code up. @returns false if it is unknown or used */
export async function spendRecoveryCode(db: Database, userId: string, codeHash: string): Promise<boolean> {
  const used = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ codeHash: recoveryCodes.codeHash });
  return used.length > 0;
}

/**
 * Call after a removal, in its transaction. The codes of an account without a factor end too.
 * @throws LastFactor, LastWayIn
 */
export async function assertMayLack(
  tx: Transaction,
  config: Pick<Config, 'passwordLogin' | 'oidcIssuer'>,
  userId: string,
  isRequired: boolean,
): Promise<void> {
  const left = await countFactors(tx, userId);
  if (isNone(left) && isRequired) throw new LastFactor();
  if (!(await hasWayIn(tx, config, userId))) throw new LastWayIn();
  if (isNone(left)) await deleteRecoveryCodes(tx, userId);
}

/** Removes all factors of an account, for its administrator. @returns what it had */
export async function resetFactors(tx: Transaction, userId: string): Promise<FactorCounts> {
  const had = await countFactors(tx, userId);
  for (const table of [passkeys, totpSecrets, recoveryCodes]) await tx.delete(table).where(eq(table.userId, userId));
  return had;
}
