import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type InviteRow, invites } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { InviteForOther, InviteNotAccepted } from '../../errors.ts';
import { hashToken, newToken } from '../../mail/token.ts';
import { emailKey } from '../account-names.ts';

type NewInvite = Pick<InviteRow, 'name' | 'email' | 'maxUses' | 'quotaImages' | 'quotaBytes' | 'expiresAt'>;

/** @returns the row, and the secret of its link, which is not stored */
export async function insertInvite(
  db: Database | Transaction,
  invite: NewInvite,
): Promise<{ row: InviteRow; secret: string }> {
  const secret = newToken();
  const [row] = await db
    .insert(invites)
    .values({ id: uuidv7(), secretHash: hashToken(secret), ...invite })
    .returning();
  if (!row) throw new Error('an insert answered no row');
  return { row, secret };
}

/** In the fragment, which browsers do not send, so that no proxy logs the secret. */
export const inviteLink = (origin: string, secret: string): string => `${origin}/register#token=${secret}`;

/** Those that can still be used, and those that cannot, the newest first. */
export async function listInvites(db: Database): Promise<InviteRow[]> {
  return db.select().from(invites).orderBy(desc(invites.id));
}

/** @returns undefined if there is no such invite */
export async function endInvite(db: Database | Transaction, id: string): Promise<InviteRow | undefined> {
  const [row] = await db.delete(invites).where(eq(invites.id, id)).returning();
  return row;
}

const usable = (secretHash: string) =>
  and(
    eq(invites.secretHash, secretHash),
    lt(invites.uses, invites.maxUses),
    or(isNull(invites.expiresAt), gt(invites.expiresAt, sql`now()`)),
  );

/** @returns undefined if it cannot be used */
export async function findInvite(db: Database, secret: string): Promise<InviteRow | undefined> {
  const [row] = await db
    .select()
    .from(invites)
    .where(usable(hashToken(secret)));
  return row;
}

/** Counts one use, in the transaction that creates the account. @throws InviteNotAccepted, InviteForOther */
export async function takeInvite(tx: Transaction, secretHash: string, email: string): Promise<InviteRow> {
  const [row] = await tx
    .update(invites)
    .set({ uses: sql`${invites.uses} + 1` })
    .where(usable(secretHash))
    .returning();
  if (!row) throw new InviteNotAccepted();
  if (row.email !== null && emailKey(row.email) !== emailKey(email)) throw new InviteForOther();
  return row;
}

/** Invites that nobody can use any more are kept for 30 days, for the administrator to see. */
export async function deleteOldInvites(db: Database): Promise<void> {
  await db.delete(invites).where(lt(invites.expiresAt, sql`now() - interval '30 days'`));
}
