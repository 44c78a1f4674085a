/** Binds a login to the browser that started it: the provider's answer counts in no other one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken, newToken } from '../../mail/token.ts';
import { isHttps } from '../session/cookie.ts';

const names = { https: '__Host-provider', http: 'provider' } as const;

/** Milliseconds that a person has at the provider. */
export const loginLifetime = 10 * 60_000;

const nameFor = (request: FastifyRequest, origin: string) => names[isHttps(request, origin) ? 'https' : 'http'];

function secretOf(request: FastifyRequest, origin: string): string | undefined {
  const secret = request.cookies[nameFor(request, origin)];
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** Logins in several tabs share the cookie. @returns what to keep with the login */
export function bindBrowser(request: FastifyRequest, reply: FastifyReply, origin: string): string {
  const secret = secretOf(request, origin) ?? newToken();
  // Lax: the browser also sends it when the provider leads back here.
  reply.setCookie(nameFor(request, origin), secret, {
    ...{ httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps(request, origin) },
    maxAge: loginLifetime / 1000,
  });
  return hashToken(secret);
}

/** @param bound as `bindBrowser` returned it */
export function isSameBrowser(request: FastifyRequest, origin: string, bound: string): boolean {
  const secret = secretOf(request, origin);
  return secret !== undefined && hashToken(secret) === bound;
}
