/** The secret of an API token that a call carries. */
import type { FastifyRequest } from 'fastify';
import { isLikeSecret } from './secret.ts';

const SCHEME = /^Bearer\s+/i;

/** In `Authorization`, with `Bearer` or without, or in `X-API-Key`. A session's token is no secret of a token. */
export function presentedSecret({ headers }: FastifyRequest): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  if (authorization === undefined) return typeof key === 'string' ? key.trim() : undefined;
  const credentials = authorization.trim().replace(SCHEME, '');
  return isLikeSecret(credentials) ? credentials : undefined;
}
