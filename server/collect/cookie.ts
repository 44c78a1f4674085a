/** The cookie that identifies a guest of one collect link. The database stores its hash. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHttps } from '../auth/cookie.ts';
import { sha256Of } from '../lib/sha256.ts';

/** Days for which a guest can remove images, unless the link ends earlier. */
export const GUEST_DAYS = 90;

const names = { https: '__Secure-guest', http: 'guest' } as const;
const form = /^[\w-]{43}$/;

export type GuestCookies = ReturnType<typeof createGuestCookies>;

export function createGuestCookies(publicUrl: string | undefined) {
  const nameOf = (secure: boolean) => (secure ? names.https : names.http);
  return {
    /** @returns undefined if the call has none in our format */
    hashOf(request: FastifyRequest): string | undefined {
      const token = request.cookies[nameOf(isHttps(request, publicUrl))];
      return token !== undefined && form.test(token) ? sha256Of(Buffer.from(token)) : undefined;
    },

    /** Sends a new one, for the path of its link alone. @returns its hash */
    set(request: FastifyRequest, reply: FastifyReply, path: string): string {
      const token = randomBytes(32).toString('base64url');
      const secure = isHttps(request, publicUrl);
      const maxAge = GUEST_DAYS * 24 * 3600;
      reply.setCookie(nameOf(secure), token, { httpOnly: true, sameSite: 'lax', path, secure, maxAge });
      return sha256Of(Buffer.from(token));
    },
  };
}
