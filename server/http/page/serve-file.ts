import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from '../conditional.ts';

type ServedFile = { text: Buffer | string; type: string; etag: string };

/** A handler for a file that the process keeps in memory. Every copy is revalidated. */
export const serveFile =
  ({ text, type, etag }: ServedFile) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (isKnown(request, etag)) return reply.code(304).send();
    return reply.type(type).send(text);
  };
