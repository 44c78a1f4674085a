import type { FastifyInstance } from 'fastify';

/** For calls that take no body: whatever is sent along, of whatever type or none, is read past. */
export function ignoreBodies(
  scope: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
