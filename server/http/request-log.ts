import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** A passed health check. Container engines send one every few seconds. */
const isRoutine = (request: FastifyRequest, { statusCode }: FastifyReply) =>
  statusCode === 200 && request.routeOptions.url?.startsWith('/api/health/');

/**
 * Logs one line for each response, without the query (searches are private) and the headers (they hold tokens): at level
 * info, passed health checks at debug.
 */
export const requestLog = fp<{ redact: (path: string) => string; enabled: boolean }>(
  async (app, { redact, enabled }) => {
    if (!enabled) return;
    app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
      const path = redact(request.url.split('?')[0] ?? '');
      const ms = Math.round(reply.elapsedTime);
      const level = isRoutine(request, reply) ? 'debug' : 'info';
      request.log[level]({ method: request.method, path, status: reply.statusCode, ms, ip: request.ip }, 'answered');
      done();
    });
  },
  { name: 'request-log' },
);
