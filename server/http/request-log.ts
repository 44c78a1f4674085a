import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** At level info or below: logs one line for each response, without the query (searches are private) and the headers (they hold tokens). */
export const requestLog = fp<{ redact: (path: string) => string; enabled: boolean }>(
  async (app, { redact, enabled }) => {
    if (!enabled) return;
    app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
      const path = redact(request.url.split('?')[0] ?? '');
      const ms = Math.round(reply.elapsedTime);
      request.log.info({ method: request.method, path, status: reply.statusCode, ms, ip: request.ip }, 'answered');
      done();
    });
  },
  { name: 'request-log' },
);
