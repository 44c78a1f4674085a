import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/**
 * One line for each answer. Not the query (a search is private), not the headers (they hold tokens).
 *
 * @param redact removes secrets from a path
 */
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
