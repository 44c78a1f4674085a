/** Logins at the identity provider that confirm the owner of a session: the one that opened it, or another one since. */
import { and, eq, gt, sql } from 'drizzle-orm';
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

/** Whether the owner has logged in at the provider again within the last minutes, from this session. */
export async function hasProviderProof(db: Database, { userId, sessionId }: Owned): Promise<boolean> {
  const own = and(eq(challenges.userId, userId), eq(challenges.kind, 'provider-proof'));
  const ofSession = sql`${challenges.data} ->> 'sessionId' = ${sessionId}`;
  return (await db.$count(challenges, and(own, ofSession, gt(challenges.expiresAt, sql`now()`)))) > 0;
}

/** Whether a login at the provider opened the session within the last minutes. */
export async function isNewProviderSession(db: Database, sessionId: string): Promise<boolean> {
  const recent = sql`${sessions.createdAt} > now() - ${proofLifetime} * interval '1 millisecond'`;
  return (await db.$count(sessions, and(eq(sessions.id, sessionId), eq(sessions.method, 'provider'), recent))) > 0;
}
