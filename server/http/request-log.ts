import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** Logs one line for each response, without the query (searches are private) and the headers (they hold tokens). */
export const requestLog = fp<{ redact: (path: string) => string }>(
  async (app, { redact }) => {
    app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
      const path = redact(request.url.split('?')[0] ?? '');
      const ms = Math.round(reply.elapsedTime);
      request.log.info({ method: request.method, path, status: reply.statusCode, ms, ip: request.ip }, 'answered');
    });
  },
  { name: 'request-log' },
);
