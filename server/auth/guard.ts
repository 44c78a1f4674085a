/** Who is calling. `app.guard` as a route's onRequest lets in only a living session, before a byte of the body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { ForeignOrigin, Unauthorized } from '../errors.ts';
import { cookieToken } from './cookie.ts';
import { changesState, comesFromAllowedOrigin } from './origin.ts';
import { type Account, findSessionAccount, markSeen } from './queries.ts';
import { verifyToken } from './tokens.ts';

declare module 'fastify' {
  interface FastifyInstance {
    guard: (request: FastifyRequest) => Promise<void>;
    /**
     * The sessions whose tokens a call carries, for ending them. The cookie's counts only from an allowed origin.
     * @throws ForeignOrigin for a call that carries only the cookie and comes from elsewhere
     */
    presentedSessions: (request: FastifyRequest) => string[];
  }
  interface FastifyRequest {
    /** Set by the guard. */
    account: Account;
    /** Of the session that the call acts for; set by the guard. */
    sessionId: string;
  }
}

function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '');
  return match ? (match[1] ?? '').trim() : undefined;
}

function createReader(app: FastifyInstance, config: Config) {
  const allowed = [...config.corsOrigin, ...(config.publicUrl ? [config.publicUrl] : [])];

  function sessionByBearer(token: string): string | undefined {
    return verifyToken(app, token, 'bearer');
  }

  /** @throws ForeignOrigin */
  function sessionByCookie(request: FastifyRequest): string | undefined {
    const token = cookieToken(request, config.publicUrl);
    if (token === undefined) return undefined;
    if (changesState(request) && !comesFromAllowedOrigin(request, allowed)) throw new ForeignOrigin();
    return verifyToken(app, token, 'cookie');
  }

  /** The session that a call acts for: a bearer token decides, also when it is not valid; else the cookie. */
  function actingSession(request: FastifyRequest): string | undefined {
    const bearer = bearerToken(request);
    return bearer === undefined ? sessionByCookie(request) : sessionByBearer(bearer);
  }

  function presentedSessions(request: FastifyRequest): string[] {
    const bearer = bearerToken(request);
    const ids: (string | undefined)[] = bearer === undefined ? [] : [sessionByBearer(bearer)];
    try {
      ids.push(sessionByCookie(request));
    } catch (error) {
      if (bearer === undefined) throw error;
    }
    return ids.filter((id) => id !== undefined);
  }

  return { actingSession, presentedSessions };
}

export const guard = fp<{ config: Config }>(
  async (app, { config }) => {
    const { actingSession, presentedSessions } = createReader(app, config);
    app.decorateRequest('account');
    app.decorateRequest('sessionId', '');
    app.decorate('presentedSessions', presentedSessions);
    app.decorate('guard', async (request: FastifyRequest) => {
      const sessionId = actingSession(request);
      const account = sessionId === undefined ? undefined : await findSessionAccount(app.db, sessionId);
      if (sessionId === undefined || !account) throw new Unauthorized();
      request.account = account;
      request.sessionId = sessionId;
      // Nobody waits for it, and no call fails where nothing can be written.
      if (account.isUnseen) {
        markSeen(app.db, sessionId).catch((err: unknown) => app.log.debug({ err }, 'a session is not marked as seen'));
      }
    });
  },
  { name: 'guard', dependencies: ['database', 'tokens', 'security'] },
);
