/**
 * Readers led to the bucket itself (LINK_MODE=redirect), by a link that is good for a minute. What protects a picture on
 * its way from here cannot all be said there, so only that goes this way which needs no more: bytes that stand there exactly
 * as the link hands them out, and of a type in which nothing can run.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteSource } from '../storage/byte-source.ts';
import { hasTag } from './streaming/send-bytes.ts';

type As = { contentType: string; disposition: string };

export type LinkTo = (key: string, as: As & { seconds: number }) => Promise<string>;

/** Seconds that a link to the bucket is good for. */
const goodFor = 60;
/** Seconds that a browser may keep where it was led to, with as many left for following it. */
const keptFor = 30;

/** A document of its own there, it would run its scripts. */
const active = new Set(['image/svg+xml']);

export function createRedirecting(link: LinkTo | undefined) {
  /** @returns where to lead the call, undefined for one that is answered here: HEAD, what the client has already, what is damaged */
  return async ({ stored, etag }: ByteSource, as: As, request: FastifyRequest): Promise<string | undefined> => {
    if (!link || !stored || request.method !== 'GET' || active.has(as.contentType)) return undefined;
    const known = request.headers['if-none-match'];
    if (known !== undefined && hasTag(known, etag)) return undefined;
    return (await stored.isSound()) ? link(stored.key, { ...as, seconds: goodFor }) : undefined;
  };
}

/** No cache on the way keeps it, and none keeps it longer than it is good. */
export function lead(reply: FastifyReply, to: string): FastifyReply {
  return reply
    .code(302)
    .removeHeader('content-type')
    .headers({ location: to, 'cache-control': `private, max-age=${keptFor}`, 'referrer-policy': 'no-referrer' })
    .send();
}
