import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionLifetime } from './tokens.ts';

/** Browsers take a `__Host-` cookie only when it is Secure and for the whole host, so on https no neighbour can set it. */
const names = { https: '__Host-session', http: 'session' } as const;

const options = (secure: boolean): CookieSerializeOptions => ({ httpOnly: true, sameSite: 'lax', path: '/', secure });

const isHttps = (request: FastifyRequest, publicUrl: string | undefined) =>
  request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);

export function cookieToken(request: FastifyRequest, publicUrl: string | undefined): string | undefined {
  return request.cookies[isHttps(request, publicUrl) ? names.https : names.http];
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
  token: string,
): void {
  const secure = isHttps(request, publicUrl);
  reply.setCookie(secure ? names.https : names.http, token, { ...options(secure), maxAge: sessionLifetime / 1000 });
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply, publicUrl: string | undefined): void {
  const secure = isHttps(request, publicUrl);
  reply.clearCookie(secure ? names.https : names.http, options(secure));
}
