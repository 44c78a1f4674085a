/** Steps that wait for the browser's next call: the second factor of a login, a passkey's answer, a provider's redirect. */
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { challenges } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { hashToken, newToken } from '../mail/token.ts';

/** What is kept for each kind of step. Rooms add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: extended elsewhere
export interface ChallengeData {}

export type Kind = keyof ChallengeData & string;

export type Challenge<K extends Kind> = { userId: string | null; data: ChallengeData[K] };

type New<K extends Kind> = Challenge<K> & { kind: K; lifetimeMs: number };

/** @returns the token by which the browser continues */
export async function createChallenge<K extends Kind>(
  db: Database | Transaction,
  { kind, userId, data, lifetimeMs }: New<K>,
): Promise<string> {
  const token = newToken();
  const expiresAt = sql`now() + ${lifetimeMs} * interval '1 millisecond'`;
  await db.insert(challenges).values({ tokenHash: hashToken(token), kind, userId, data, expiresAt });
  return token;
}

const alive = (kind: Kind, token: string) =>
  and(eq(challenges.tokenHash, hashToken(token)), eq(challenges.kind, kind), gt(challenges.expiresAt, sql`now()`));

/** Ends the step: a second call gets nothing. @returns undefined if it is unknown, used or too old */
export async function takeChallenge<K extends Kind>(
  db: Database | Transaction,
  kind: K,
  token: string,
): Promise<Challenge<K> | undefined> {
  const { userId, data } = challenges;
  const [row] = await db.delete(challenges).where(alive(kind, token)).returning({ userId, data });
  return row as Challenge<K> | undefined;
}

/** @returns undefined if it is unknown, used or too old */
export async function findChallenge<K extends Kind>(
  db: Database | Transaction,
  kind: K,
  token: string,
): Promise<Challenge<K> | undefined> {
  const { userId, data } = challenges;
  const [row] = await db.select({ userId, data }).from(challenges).where(alive(kind, token));
  return row as Challenge<K> | undefined;
}

/**
 * Counts a try before it is made, so that parallel calls get no more than `most` of them.
 * @returns undefined if the step is unknown, used, too old or tried too often
 */
export async function tryChallenge<K extends Kind>(
  db: Database,
  kind: K,
  token: string,
  most: number,
): Promise<Challenge<K> | undefined> {
  const { userId, data, failures } = challenges;
  const [row] = await db
    .update(challenges)
    .set({ failures: sql`${failures} + 1` })
    .where(and(alive(kind, token), lt(failures, most)))
    .returning({ userId, data });
  return row as Challenge<K> | undefined;
}

/** @returns whether the name is new; then it is remembered for a while */
export async function rememberOnce(
  db: Database | Transaction,
  kind: Kind,
  name: string,
  lifetimeMs: number,
): Promise<boolean> {
  const expiresAt = sql`now() + ${lifetimeMs} * interval '1 millisecond'`;
  const rows = await db
    .insert(challenges)
    .values({ tokenHash: hashToken(`${kind} ${name}`), kind, userId: null, data: {}, expiresAt })
    .onConflictDoNothing({ target: challenges.tokenHash })
    .returning({ kind: challenges.kind });
  return rows.length > 0;
}

export async function deleteExpiredChallenges(db: Database): Promise<void> {
  await db.delete(challenges).where(lt(challenges.expiresAt, sql`now()`));
}
