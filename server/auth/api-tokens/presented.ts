/** The secret of an API token that a call carries. */
import type { FastifyRequest } from 'fastify';
import { credentialsOf } from '../../http/scopes.ts';
import { isLikeSecret } from './secret.ts';

/** In `Authorization`, with `Bearer` or without, or in `X-API-Key`. The token of a session is no secret of an API token. */
export function presentedSecret(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const { bearer, bare, key } = credentialsOf(request);
  return [bearer, bare].find((sent) => sent && isLikeSecret(sent)) ?? key ?? bare;
}
