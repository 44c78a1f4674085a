import type { FastifyReply, FastifyRequest } from 'fastify';

type ServedFile = { text: Buffer | string; type: string; etag: string };

/** A handler for a file that the process keeps in memory. Every copy is revalidated. */
export const serveFile =
  ({ text, type, etag }: ServedFile) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(text);
  };
