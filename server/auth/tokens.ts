/**
 * Two signed tokens stand for one session: the bearer, which the client keeps in local storage, and the one in the
 * HttpOnly cookie. Each is refused in the other's place, so neither leaks into the other's channel.
 */
import fastifyJwt from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

export type TokenUse = 'bearer' | 'cookie';
type Claims = { sub: string; sid: string; use: TokenUse };

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
  },
  { name: 'tokens' },
);

export function signToken(app: FastifyInstance, session: { id: string; userId: string }, use: TokenUse): string {
  return app.jwt.sign({ sub: session.userId, sid: session.id, use });
}

/** Ids are asked for in the database, which takes nothing else for a UUID. */
const uuidForm = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** @returns the session's id, or undefined for a token that is forged, expired or made for another use */
export function verifyToken(app: FastifyInstance, token: string, use: TokenUse): string | undefined {
  try {
    const claims = app.jwt.verify<Claims>(token);
    return claims.use === use && typeof claims.sid === 'string' && uuidForm.test(claims.sid) ? claims.sid : undefined;
  } catch {
    return undefined;
  }
}
