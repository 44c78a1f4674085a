/** Logins at the identity provider that confirm the owner of a session: the one that opened it, or another one since. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { challenges, sessions } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { createChallenge } from '../challenge-queries.ts';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** A session whose owner has logged in at the provider again. Its token is not used. */
    'provider-proof': { sessionId: string };
  }
}

/** Milliseconds in which a login confirms the owner. */
export const proofLifetime = 5 * 60_000;

type Owned = { userId: string; sessionId: string };

export async function keepProviderProof(db: Database, { userId, sessionId }: Owned): Promise<void> {
  await createChallenge(db, { kind: 'provider-proof', userId, data: { sessionId }, lifetimeMs: proofLifetime });
}

const millisecondsTo = (moment: SQL) => sql<number>`(extract(epoch from ${moment} - now()) * 1000)::float8`;

/** @returns the milliseconds in which a new login at the provider from this session still confirms its owner; 0 without one */
export async function newLoginLeft(db: Database, { userId, sessionId }: Owned): Promise<number> {
  const own = and(eq(challenges.userId, userId), eq(challenges.kind, 'provider-proof'));
  const ofSession = sql`${challenges.data} ->> 'sessionId' = ${sessionId}`;
  const [row] = await db
    .select({ left: millisecondsTo(sql`max(${challenges.expiresAt})`) })
    .from(challenges)
    .where(and(own, ofSession));
  return Math.max(0, row?.left ?? 0);
}

/** As `newLoginLeft`, of the login at the provider that opened the session. */
export async function openingLeft(db: Database, sessionId: string): Promise<number> {
  const end = sql`${sessions.createdAt} + ${proofLifetime} * interval '1 millisecond'`;
  const [row] = await db
    .select({ left: millisecondsTo(end) })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.method, 'provider')));
  return Math.max(0, row?.left ?? 0);
}
