/** The bucket cannot send all security headers: only bytes of inactive types that are stored exactly as served are redirected. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from '../http/conditional.ts';
import { secondsLeft } from '../images/expiry/expiry.ts';
import type { StoredBytes } from '../storage/byte-source.ts';

type As = { contentType: string; disposition: string };

export type LinkTo = (key: string, as: As & { seconds: number }) => Promise<string>;

/** Seconds that a bucket link is valid, at most. A browser may cache the redirect for half of them. */
const goodFor = 60;

/** Types that run scripts when opened from the bucket. */
const active = new Set(['image/svg+xml']);

type BucketLink = { url: string; seconds: number };

export function createRedirecting(link: LinkTo | undefined) {
  /**
   * @param as.end of the image, ms since 1970: the bucket link is not valid beyond it
   * @returns the bucket link; undefined if the server answers: HEAD, a matching ETag, active types, damaged bytes
   */
  return async (
    { stored, etag }: StoredBytes,
    { end, ...as }: As & { end: number },
    request: FastifyRequest,
  ): Promise<BucketLink | undefined> => {
    if (!link || !stored || request.method !== 'GET' || active.has(as.contentType)) return undefined;
    if (isKnown(request, etag) || !(await stored.isVerified())) return undefined;
    const seconds = Math.min(goodFor, secondsLeft(end));
    return seconds < 1 ? undefined : { url: await link(stored.key, { ...as, seconds }), seconds };
  };
}

/** Redirects privately, for less time than the link is valid. */
export function redirectTo(reply: FastifyReply, { url, seconds }: BucketLink): FastifyReply {
  const cacheControl = `private, max-age=${Math.floor(seconds / 2)}`;
  return reply
    .code(302)
    .removeHeader('content-type')
    .headers({ location: url, 'cache-control': cacheControl, 'referrer-policy': 'no-referrer' })
    .send();
}
