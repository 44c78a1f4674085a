/**
 * Two signed tokens stand for one session: the bearer, which the client keeps in local storage, and the one in the
 * HttpOnly cookie. Each is refused in the other's place, so neither leaks into the other's channel.
 */

import fastifyJwt from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { validate as isUuid } from 'uuid';

export type TokenUse = 'bearer' | 'cookie';
type Claims = { sub: string; sid: string; use: TokenUse };

/** A token whose signature was checked; `until` in milliseconds since 1970. */
export type Verified = { accountId: string; sessionId: string; use: TokenUse; until: number };

declare module 'fastify' {
  interface FastifyInstance {
    verifiedTokens: LRUCache<string, Verified>;
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Claims;
    user: Claims;
  }
}

/** How long a session lives, in milliseconds: 30 days. */
export const sessionLifetime = 30 * 24 * 3_600_000;

export const tokens = fp<{ secret: string }>(
  async (app, { secret }) => {
    await app.register(fastifyJwt, {
      secret,
      sign: { algorithm: 'HS256', expiresIn: sessionLifetime / 1000 },
      // The algorithm is ours to say, never the token's.
      verify: { algorithms: ['HS256'], cache: false },
    });
    // A signature holds for ever, and checking it takes a tenth of a call. Of some 600 bytes each; only what this server
    // has signed comes in.
    app.decorate('verifiedTokens', new LRUCache<string, Verified>({ max: 10_000 }));
  },
  { name: 'tokens' },
);

export function signToken(app: FastifyInstance, session: { id: string; userId: string }, use: TokenUse): string {
  return app.jwt.sign({ sub: session.userId, sid: session.id, use });
}

/** @returns undefined for a token that is forged, expired, or not of our making */
function verify(app: FastifyInstance, token: string): Verified | undefined {
  try {
    const { sub, sid, use, exp } = app.jwt.verify<Claims & { exp?: unknown }>(token);
    if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sid) || typeof exp !== 'number') return undefined;
    return { accountId: sub, sessionId: sid, use, until: exp * 1000 };
  } catch {
    return undefined;
  }
}

/**
 * Says nothing of whether the session still lives: that is the database's to say, with every call.
 *
 * @returns the session and its account, or undefined for a token that is forged, expired or made for another use
 */
export function verifyToken(app: FastifyInstance, token: string, use: TokenUse): Verified | undefined {
  const known = app.verifiedTokens.get(token);
  const verified = known ?? verify(app, token);
  if (!verified || verified.use !== use || Date.now() > verified.until) return undefined;
  if (!known) app.verifiedTokens.set(token, verified);
  return verified;
}
