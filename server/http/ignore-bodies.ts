import type { FastifyInstance } from 'fastify';

/** Discards request bodies of any type, for routes that accept none. */
export function ignoreBodies(
  scope: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
