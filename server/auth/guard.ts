/** Who is calling. `app.guard` as a route's onRequest lets in only a living session, before a byte of the body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { UserRow } from '../../drizzle/schema.ts';
import type { Config } from '../config.ts';
import { ForeignOrigin, Unauthorized } from '../errors.ts';
import { cookieToken } from './cookie.ts';
import { changesState, comesFromAllowedOrigin } from './origin.ts';
import { findSessionUser } from './queries.ts';
import { verifyToken } from './tokens.ts';

declare module 'fastify' {
  interface FastifyInstance {
    guard: (request: FastifyRequest) => Promise<void>;
    /** @throws ForeignOrigin for a state-changing call that carries only a cookie and comes from elsewhere */
    readCredentials: (request: FastifyRequest) => Credentials;
  }
  interface FastifyRequest {
    /** Set by the guard. */
    account: UserRow;
  }
}

/** What a call carries. A session's id is undefined where its token is missing or not valid. */
export type Credentials = { by: 'bearer' | 'cookie' | 'nothing'; sessionId: string | undefined };

function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '');
  return match ? (match[1] ?? '').trim() : undefined;
}

function readCredentials(app: FastifyInstance, config: Config, request: FastifyRequest): Credentials {
  const bearer = bearerToken(request);
  if (bearer !== undefined) return { by: 'bearer', sessionId: verifyToken(app, bearer, 'bearer') };
  const token = cookieToken(request, config.publicUrl);
  if (token === undefined) return { by: 'nothing', sessionId: undefined };
  const allowed = [...config.corsOrigin, ...(config.publicUrl ? [config.publicUrl] : [])];
  if (changesState(request) && !comesFromAllowedOrigin(request, allowed)) throw new ForeignOrigin();
  return { by: 'cookie', sessionId: verifyToken(app, token, 'cookie') };
}

export const guard = fp<{ config: Config }>(
  async (app, { config }) => {
    app.decorateRequest('account');
    app.decorate('readCredentials', (request: FastifyRequest) => readCredentials(app, config, request));
    app.decorate('guard', async (request: FastifyRequest) => {
      const { sessionId } = app.readCredentials(request);
      const account = sessionId === undefined ? undefined : await findSessionUser(app.db, sessionId);
      if (!account) throw new Unauthorized();
      request.account = account;
    });
  },
  { name: 'guard', dependencies: ['database', 'tokens', 'security'] },
);
