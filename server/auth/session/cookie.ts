import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionLifetime } from './tokens.ts';

/** Browsers accept a `__Host-` cookie only if it is Secure and for the exact host, so no sibling host can set it on https. */
const names = { https: '__Host-session', http: 'session' } as const;

const options = (secure: boolean): CookieSerializeOptions => ({ httpOnly: true, sameSite: 'lax', path: '/', secure });

export const isHttps = (request: FastifyRequest, publicUrl: string | undefined) =>
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

/** Identifies the browser for 400 days, the most that browsers keep a cookie. Grants no access. */
const deviceNames = { https: '__Host-device', http: 'device' } as const;
const deviceLifetime = 400 * 24 * 3_600;

/** @returns undefined if missing or not in our format */
export function deviceToken(request: FastifyRequest, publicUrl: string | undefined): string | undefined {
  const token = request.cookies[isHttps(request, publicUrl) ? deviceNames.https : deviceNames.http];
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
  token: string,
): void {
  const secure = isHttps(request, publicUrl);
  const name = secure ? deviceNames.https : deviceNames.http;
  reply.setCookie(name, token, { ...options(secure), maxAge: deviceLifetime });
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply, publicUrl: string | undefined): void {
  const secure = isHttps(request, publicUrl);
  reply.clearCookie(secure ? names.https : names.http, options(secure));
}
