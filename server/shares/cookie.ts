/** The cookie of a visitor who gave the password of a share. It opens that share alone, until it ends or gets another password. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHttps } from '../auth/session/cookie.ts';
import type { FoundShare } from './public-queries.ts';

/** Milliseconds that a visitor stays admitted, at most. */
const longest = 30 * 24 * 3_600_000;

export type ShareCookies = {
  set(request: FastifyRequest, reply: FastifyReply, share: FoundShare): void;
  isValid(request: FastifyRequest, share: FoundShare): boolean;
};

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** @param secret shared by all servers, kept across restarts */
export function createShareCookies(secret: string, publicUrl: string | undefined): ShareCookies {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gallery, cookies of shares', 32));
  const sign = (...parts: (string | number)[]) => createHmac('sha256', key).update(parts.join(' ')).digest('base64url');
  // A name for each share: a browser sends those of several shares together if one path is below another.
  const nameOf = (secure: boolean, { id }: FoundShare) =>
    `${secure ? '__Secure-' : ''}share-${sign('name', id).slice(0, 16)}`;
  // The hash has a new salt with each password, also after a restore of the database.
  const textOf = ({ id, passwordHash }: FoundShare, end: number) =>
    `${end}.${sign('admitted', id, passwordHash ?? '', end)}`;

  return {
    set(request, reply, share) {
      const secure = isHttps(request, publicUrl);
      const end = Math.min(Date.now() + longest, share.end);
      const maxAge = Math.floor((end - Date.now()) / 1000);
      const options = { httpOnly: true, sameSite: 'lax', path: share.path, secure, maxAge } as const;
      reply.setCookie(nameOf(secure, share), textOf(share, end), options);
    },
    isValid(request, share) {
      const sent = request.cookies[nameOf(isHttps(request, publicUrl), share)] ?? '';
      const end = Number(sent.slice(0, sent.indexOf('.')));
      return isEqual(sent, textOf(share, end)) && end > Date.now();
    },
  };
}
