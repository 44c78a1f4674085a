import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type PasskeyRow, passkeys, type UserRow, users } from '../../../drizzle/schema.ts';
import { type Database, type Transaction, uniqueViolation } from '../../database/connect.ts';
import { PasskeyNotAdded, TooManyPasskeys } from '../../errors.ts';

export const MAX_PASSKEYS = 20;

export type NewPasskey = Omit<PasskeyRow, 'id' | 'createdAt' | 'usedAt'>;

/** The oldest first. */
export async function listPasskeys(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));
}

/** Call under the owner's lock. @throws TooManyPasskeys, PasskeyNotAdded */
export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<PasskeyRow> {
  if ((await tx.$count(passkeys, eq(passkeys.userId, passkey.userId))) >= MAX_PASSKEYS) {
    throw new TooManyPasskeys(String(MAX_PASSKEYS));
  }
  try {
    const [row] = await tx
      .insert(passkeys)
      .values({ id: uuidv7(), ...passkey })
      .returning();
    if (!row) throw new Error('an insert answered no row');
    return row;
  } catch (error) {
    throw uniqueViolation(error) === 'passkeys_credential_id_unique' ? new PasskeyNotAdded() : error;
  }
}

/** @param credentialId as the browser sends it @returns the passkey with its account */
export async function findPasskey(
  db: Database,
  credentialId: string,
): Promise<{ passkey: PasskeyRow; user: UserRow } | undefined> {
  const [row] = await db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId.replaceAll('\0', '')));
  return row;
}

/**
 * Notes a use, in one statement, so that of two copies with the same counter one is refused.
 * @returns whether the counter has grown, or the device does not count
 */
export async function notePasskeyUse(
  db: Database,
  id: string,
  { counter, synced }: Pick<PasskeyRow, 'counter' | 'synced'>,
): Promise<boolean> {
  const grows = counter > 0 ? lt(passkeys.counter, counter) : eq(passkeys.counter, 0);
  const used = await db
    .update(passkeys)
    .set({ counter, synced, usedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), grows))
    .returning({ id: passkeys.id });
  return used.length > 0;
}

const own = (userId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId));

/** @returns undefined if the account has no such passkey */
export async function renamePasskey(
  db: Database | Transaction,
  userId: string,
  id: string,
  name: string,
): Promise<{ row: PasskeyRow; isChange: boolean } | undefined> {
  const [before] = await db.select().from(passkeys).where(own(userId, id)).for('update');
  if (!before) return undefined;
  await db.update(passkeys).set({ name }).where(own(userId, id));
  return { row: { ...before, name }, isChange: before.name !== name };
}

/** @returns undefined if the account has no such passkey */
export async function deletePasskey(tx: Transaction, userId: string, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await tx.delete(passkeys).where(own(userId, id)).returning();
  return row;
}
