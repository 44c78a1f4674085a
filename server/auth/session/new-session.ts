import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { setCookie } from './cookie.ts';
import { sessionLifetime, signToken } from './tokens.ts';

export const newSession = ({ headers }: FastifyRequest) => ({
  lifetimeMs: sessionLifetime,
  userAgent: headers['user-agent'],
});

type Exchange = { request: FastifyRequest; reply: FastifyReply; config: Pick<Config, 'publicUrl'> };

/** Sets the session's cookie. @returns its bearer token */
export function giveTokens(
  app: FastifyInstance,
  { request, reply, config }: Exchange,
  session: { id: string; userId: string },
): string {
  setCookie(request, reply, config.publicUrl, signToken(app, session, 'cookie'));
  return signToken(app, session, 'bearer');
}
