/** Authentication. `app.guard` as a route's onRequest admits live sessions and, by scope, API tokens, before the body is read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { type Access, everythingOf } from '../database/statements/access.ts';
import { AdminNeeded, ForeignOrigin, SecondFactorRequired, Unauthorized } from '../errors.ts';
import { createTurns, defaultTurns, type TurnLimits } from '../http/limits/turns.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import { credentialsOf } from '../http/scopes.ts';
import { createTokenAuthentication } from './api-tokens/authenticate.ts';
import { presentedSecret } from './api-tokens/presented.ts';
import { changesState, comesFromAllowedOrigin } from './origin.ts';
import { type Account, findSessionAccount, markSeen } from './queries.ts';
import { requiresFactor } from './second-factor/required.ts';
import { cookieToken } from './session/cookie.ts';
import { createTokenVerifier, type Verified } from './session/tokens.ts';

declare module 'fastify' {
  interface FastifyInstance {
    guard: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
  interface FastifyRequest {
    /** Set by the guard. */
    account: Account;
    /** The session of the call; empty for a call by API token. Set by the guard. */
    sessionId: string;
    /** What the call may see and change. Set by the guard. */
    access: Access;
    /** Lets the account's next call start before this one is answered. Call before bytes of a picture are read or sent. */
    endTurn: () => void;
  }
}

export type Sessions = ReturnType<typeof createSessions>;

/** Reads which sessions a call carries. */
export function createSessions(app: FastifyInstance, config: Config) {
  const { corsOrigin, publicUrl } = config;
  const verifyToken = createTokenVerifier(app);
  /** Whether a call may change the browser's cookie: it comes from an allowed origin, or not from a page. */
  const isFromAllowedOrigin = (request: FastifyRequest) => comesFromAllowedOrigin(request, corsOrigin, publicUrl);

  function sessionByBearer(token: string): Verified | undefined {
    return verifyToken(token, 'bearer');
  }

  /** @throws ForeignOrigin */
  function sessionByCookie(request: FastifyRequest): Verified | undefined {
    const token = cookieToken(request, publicUrl);
    if (token === undefined) return undefined;
    if (changesState(request) && !isFromAllowedOrigin(request)) throw new ForeignOrigin();
    return verifyToken(token, 'cookie');
  }

  /** The session of a call: decided by the bearer token, even an invalid one; without one by the cookie. */
  function acting(request: FastifyRequest): Verified | undefined {
    const { bearer } = credentialsOf(request);
    return bearer === undefined ? sessionByCookie(request) : sessionByBearer(bearer);
  }

  /**
   * The sessions whose tokens a call carries, to end them. The cookie's counts only from an allowed origin.
   * @throws ForeignOrigin for a call from elsewhere without a bearer token
   */
  function presented(request: FastifyRequest): string[] {
    const { bearer } = credentialsOf(request);
    const isAllowed = isFromAllowedOrigin(request);
    // A form of another site arrives without the Lax cookie, but is refused too.
    if (bearer === undefined && !isAllowed) throw new ForeignOrigin();
    const byBearer = bearer === undefined ? undefined : sessionByBearer(bearer);
    const byCookie = isAllowed ? sessionByCookie(request) : undefined;
    return [byBearer, byCookie].flatMap((session) => session?.sessionId ?? []);
  }

  return { acting, presented, isFromAllowedOrigin };
}

export const guard = fp<{ config: Config; sessions: Sessions; turns?: Partial<TurnLimits> | undefined }>(
  async (app, { config, sessions, turns }) => {
    const takeTurn = createTurns({ ...defaultTurns, ...turns });
    const authenticate = createTokenAuthentication(app.db, { limited: config.rateLimit === 'on' });
    const asks = config.requireSecondFactor === 'none' ? 'plain' : 'withFactors';
    const isOver = (reply: FastifyReply) => (callback: () => void) => onResponseEnd(reply.raw, callback);

    async function admitToken(request: FastifyRequest, reply: FastifyReply, secret: string): Promise<void> {
      const { account, token } = await authenticate(request, reply, secret);
      request.endTurn = await takeTurn(account.id, isOver(reply));
      request.account = account;
      request.access = {
        ownerId: account.id,
        tokenId: token.id,
        scopes: token.scopes,
        albumId: token.albumId,
        imagesExpireIn: token.imagesExpireIn,
      };
    }

    app.decorateRequest('account');
    app.decorateRequest('sessionId', '');
    app.decorateRequest('access');
    app.decorateRequest('endTurn', () => undefined);
    app.decorate('guard', async (request: FastifyRequest, reply: FastifyReply) => {
      const secret = presentedSecret(request);
      if (secret !== undefined) return admitToken(request, reply, secret);
      const session = sessions.acting(request);
      if (!session) throw new Unauthorized();
      const { accountId, sessionId } = session;
      request.endTurn = await takeTurn(accountId, isOver(reply));
      const account = await findSessionAccount(app.db, sessionId, asks);
      if (!account) throw new Unauthorized();
      const { adminOnly, withoutFactor } = request.routeOptions.config;
      if (adminOnly && account.role !== 'admin') throw new AdminNeeded();
      if (!withoutFactor && account.hasFactor === false && requiresFactor(config, account)) {
        throw new SecondFactorRequired();
      }
      request.account = account;
      request.access = { ...everythingOf(account.id), tokenId: null, scopes: null, imagesExpireIn: null };
      request.sessionId = sessionId;
      // Not awaited, and a failed write does not fail the call.
      if (account.isUnseen) {
        markSeen(app.db, sessionId).catch((err: unknown) => app.log.debug({ err }, 'a session is not marked as seen'));
      }
    });
  },
  { name: 'guard', dependencies: ['database', 'tokens', 'security'] },
);
