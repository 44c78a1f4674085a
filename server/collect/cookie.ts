/** The cookie that identifies a guest of one collect link. The database stores its hash. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHttps } from '../auth/session/cookie.ts';
import { GUEST_DAYS } from '../ingest/guest-queries.ts';
import { sha256Of } from '../lib/sha256.ts';

const names = { https: '__Secure-guest', http: 'guest' } as const;
const form = /^[\w-]{43}$/;

export type GuestCookies = ReturnType<typeof createGuestCookies>;

export function createGuestCookies(publicUrl: string | undefined) {
  const nameOf = (secure: boolean) => (secure ? names.https : names.http);
  const hash = (token: string) => sha256Of(Buffer.from(token));

  function tokenIn(request: FastifyRequest): string | undefined {
    const token = request.cookies[nameOf(isHttps(request, publicUrl))];
    return token !== undefined && form.test(token) ? token : undefined;
  }

  return {
    /** @returns undefined if the call has none in our format */
    hashOf(request: FastifyRequest): string | undefined {
      const token = tokenIn(request);
      return token && hash(token);
    },

    create(): { token: string; tokenHash: string } {
      const token = randomBytes(32).toString('base64url');
      return { token, tokenHash: hash(token) };
    },

    /** Sends one for the path of its link alone. @param token the call's own by default */
    send(request: FastifyRequest, reply: FastifyReply, path: string, token = tokenIn(request) ?? ''): void {
      const secure = isHttps(request, publicUrl);
      const maxAge = GUEST_DAYS * 24 * 3600;
      reply.setCookie(nameOf(secure), token, { httpOnly: true, sameSite: 'lax', path, secure, maxAge });
    },
  };
}
