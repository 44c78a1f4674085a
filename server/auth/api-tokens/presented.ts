/** The secret of an API token that a call carries. */
import type { FastifyRequest } from 'fastify';
import { isLikeSecret } from './secret.ts';

const SCHEME = /^Bearer\s+/i;

/** In `Authorization`, with `Bearer` or without, or in `X-API-Key`. The token of a session is no secret of an API token. */
export function presentedSecret({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const { authorization = '', 'x-api-key': key } = headers;
  const credentials = authorization.trim().replace(SCHEME, '');
  if (isLikeSecret(credentials)) return credentials;
  return key === undefined ? undefined : String(key).trim();
}
