/** The bucket cannot send all security headers: only bytes of inactive types that are stored exactly as served are redirected. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredBytes } from '../storage/byte-source.ts';
import { hasTag } from './streaming/send-bytes.ts';

type As = { contentType: string; disposition: string };

export type LinkTo = (key: string, as: As & { seconds: number }) => Promise<string>;

/** Seconds that a bucket link is valid. */
const goodFor = 60;
/** Seconds that a browser may cache the redirect; as many remain to follow it. */
const keptFor = 30;

/** Types that run scripts when opened from the bucket. */
const active = new Set(['image/svg+xml']);

export function createRedirecting(link: LinkTo | undefined) {
  /** @returns the bucket link; undefined if the server answers: HEAD, a matching ETag, active types, damaged bytes */
  return async ({ stored, etag }: StoredBytes, as: As, request: FastifyRequest): Promise<string | undefined> => {
    if (!link || !stored || request.method !== 'GET' || active.has(as.contentType)) return undefined;
    const known = request.headers['if-none-match'];
    if (known !== undefined && hasTag(known, etag)) return undefined;
    return (await stored.isVerified()) ? link(stored.key, { ...as, seconds: goodFor }) : undefined;
  };
}

/** Redirects privately, for less time than the link is valid. */
export function redirectTo(reply: FastifyReply, to: string): FastifyReply {
  return reply
    .code(302)
    .removeHeader('content-type')
    .headers({ location: to, 'cache-control': `private, max-age=${keptFor}`, 'referrer-policy': 'no-referrer' })
    .send();
}
