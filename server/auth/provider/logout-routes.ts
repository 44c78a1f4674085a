/** Ends sessions in both directions: at the provider after a logout here, and here after a logout at the provider. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { ProviderLogout } from '../../contract.ts';
import { ForeignOrigin, InvalidRequest, NoProvider, ProviderUnavailable } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { withoutLogin } from '../../http/scopes.ts';
import { rememberOnce } from '../challenge-queries.ts';
import type { Sessions } from '../guard.ts';
import { clearCookie } from '../session/cookie.ts';
import { createLogoutTokenReader, rememberedFor } from './logout-token.ts';
import { ProviderProblem } from './problem.ts';
import type { ProviderParts } from './provider-client.ts';
import { endProviderSession, endSessionsOf } from './queries.ts';

const minute = 60_000;

type Options = { config: Config; parts: ProviderParts | undefined; sessions: Sessions };

/** The provider sends a form. */
const backchannelRoute: FastifyPluginAsyncTypebox<Options> = async (app, { parts }) => {
  const { db } = app;
  const readToken = parts && createLogoutTokenReader(parts.provider, parts.settings.clientId);
  app.removeAllContentTypeParsers();
  const parser = { parseAs: 'string', bodyLimit: 65_536 } as const;
  app.addContentTypeParser('application/x-www-form-urlencoded', parser, (_request, body, done) => {
    done(null, { logout_token: new URLSearchParams(String(body)).get('logout_token') ?? '' });
  });

  const ending = {
    config: {
      ...perAddress('backchannel-logout', 600, minute),
      ...withoutLogin,
      ...refuses(NoProvider, InvalidRequest, ProviderUnavailable),
    },
    schema: {
      operationId: 'endProviderSessions',
      summary: 'End the sessions that a logout token of the sign-in provider names',
      body: Type.Object({ logout_token: Type.String() }),
      response: { 200: Type.Object({}) },
    },
  };
  app.post('/backchannel-logout', ending, async (request, reply) => {
    if (!readToken) throw new NoProvider();
    reply.header('cache-control', 'no-store');
    try {
      const { jti, ...ended } = await readToken(request.body.logout_token);
      const name = `${ended.issuer} ${jti}`;
      // If the sessions could not be ended, the provider may send the token again.
      await db.transaction(async (tx) => {
        if (!(await rememberOnce(tx, 'logout-token', name, rememberedFor))) {
          throw new InvalidRequest('The logout token was used already.');
        }
        for (const user of await endSessionsOf(tx, ended)) {
          await note(tx, { action: 'sessions.ended', actor: actorOf(request, user), details: { by: 'provider' } });
        }
      });
      return {};
    } catch (error) {
      request.log.warn({ reason: (error as Error).message }, 'logout by the provider refused');
      throw error instanceof ProviderProblem ? new ProviderUnavailable() : error;
    }
  });
};

export const logoutRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, parts, sessions } = options;
  await app.register(backchannelRoute, options);
  ignoreBodies(app);

  const leaving = {
    config: { ...perAddress('logout', 6000, minute), ...withoutLogin, ...refuses(ForeignOrigin) },
    schema: {
      operationId: 'logOutEverywhere',
      summary: 'End the session of the call, and learn where the browser ends it at the sign-in provider',
      response: { 200: ProviderLogout },
    },
  };
  app.post('/logout', leaving, async (request, reply) => {
    let url: string | null = null;
    for (const sessionId of sessions.presented(request)) {
      const ended = await app.db.transaction(async (tx) => {
        const session = await endProviderSession(tx, sessionId);
        if (session) await note(tx, { action: 'logout', actor: actorOf(request, session) });
        return session;
      });
      if (!ended || ended.identityId === null || !parts) continue;
      // A provider that is down does not keep anyone from logging out here.
      url = await parts.provider.logoutUrl(ended.idToken).catch((error: unknown) => {
        request.log.warn({ reason: (error as Error).message }, 'logout at the provider is not possible');
        return null;
      });
    }
    if (sessions.isFromAllowedOrigin(request)) clearCookie(request, reply, config.publicUrl);
    return { url };
  });
};
