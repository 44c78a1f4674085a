/**
 * A session has two signed tokens: the bearer, which the client keeps in local storage, and the one in the HttpOnly
 * cookie. Neither is accepted as the other, so one that leaks cannot be used through the other channel.
 */

import fastifyJwt from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { validate as isUuid } from 'uuid';

type TokenUse = 'bearer' | 'cookie';
type Claims = { sub: string; sid: string; use: TokenUse };

/** A token with a verified signature; `until` is in milliseconds since 1970. */
export type Verified = { accountId: string; sessionId: string; use: TokenUse; until: number };

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Claims;
    user: Claims;
  }
}

/** Milliseconds: 30 days. */
export const sessionLifetime = 30 * 24 * 3_600_000;

export const tokens = fp<{ secret: string }>(
  async (app, { secret }) => {
    await app.register(fastifyJwt, {
      secret,
      sign: { algorithm: 'HS256', expiresIn: sessionLifetime / 1000 },
      // The server fixes the algorithm; the token's header must not choose it.
      verify: { algorithms: ['HS256'], cache: false },
    });
  },
  { name: 'tokens' },
);

export function signToken(app: FastifyInstance, session: { id: string; userId: string }, use: TokenUse): string {
  return app.jwt.sign({ sub: session.userId, sid: session.id, use });
}

/** @returns undefined for a token that is forged, expired or not ours */
function verify(app: FastifyInstance, token: string): Verified | undefined {
  try {
    const { sub, sid, use, exp } = app.jwt.verify<Claims & { exp?: unknown }>(token);
    if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sid) || typeof exp !== 'number') return undefined;
    return { accountId: sub, sessionId: sid, use, until: exp * 1000 };
  } catch {
    return undefined;
  }
}

export function createTokenVerifier(app: FastifyInstance) {
  // Checking a signature takes a tenth of a call. About 600 bytes an entry; only tokens that this server signed are cached.
  const cache = new LRUCache<string, Verified>({ max: 10_000 });

  /** Does not check whether the session is alive. @returns undefined for a token that is forged, expired or of another use */
  return function verifyToken(token: string, use: TokenUse): Verified | undefined {
    const known = cache.get(token);
    const verified = known ?? verify(app, token);
    if (!verified || verified.use !== use || Date.now() > verified.until) return undefined;
    if (!known) cache.set(token, verified);
    return verified;
  };
}
