/** A login by the provider: to it, back from it, and the session for the page. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { LinkSecret, LoginAnswer, ProviderAddress, ProviderFinish } from '../../contract.ts';
import {
  AccountDisabled,
  AccountPending,
  ForeignOrigin,
  LinkNotAccepted,
  NoProvider,
  OtherAccountOpen,
  ProviderLoginExpired,
  ProviderMisconfigured,
  ProviderUnavailable,
  WrongCredentials,
} from '../../errors.ts';
import { perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { withoutLogin } from '../../http/scopes.ts';
import { type Challenge, findChallenge, takeChallenge } from '../challenge-queries.ts';
import type { Sessions } from '../guard.ts';
import { findSessionAccount, findUser } from '../queries.ts';
import type { OpenSession } from '../session/open-session.ts';
import { userAnswer } from '../user-answer.ts';
import { arriveAt } from './arrival.ts';
import { bindBrowser, isSameBrowser } from './browser.ts';
import { readOffer } from './offer.ts';
import { ProviderProblem } from './problem.ts';
import type { ProviderParts } from './provider-client.ts';
import { leadTo, reportProblem } from './return-to-page.ts';
import { addressOf, startLogin } from './start-login.ts';

const minute = 60_000;

type Options = { config: Config; parts: ProviderParts | undefined; sessions: Sessions; openSession: OpenSession };
/** The state is the token of its challenge. */
type Started = Omit<Challenge<'provider-login'>, 'data'> & {
  data: Challenge<'provider-login'>['data'] & { state: string };
};

const Share = Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$', description: 'id of a share from another app' }));

const startRoute: FastifyPluginAsyncTypebox<Options> = async (app, { parts }) => {
  const starting = {
    config: { ...perAddress('provider-start', 60, minute), ...withoutLogin, ...refuses(NoProvider) },
    schema: {
      operationId: 'startProviderLogin',
      summary: 'Lead a browser to the sign-in provider',
      querystring: Type.Object({ share: Share }),
    },
  };
  app.get('/start', starting, async (request, reply) => {
    if (!parts) throw new NoProvider();
    const { origin } = parts.settings;
    try {
      const start = { userId: null, share: request.query.share, browser: bindBrowser(request, reply, origin) };
      return leadTo(reply, await startLogin(app.db, parts.provider, start));
    } catch (error) {
      return reportProblem(app.db, { request, reply }, { error, origin, userId: null });
    }
  });
};

/** For people who opened the link of an invitation or of a claim. Its secret is in a body, which no proxy logs. */
const offerRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config, parts, sessions }) => {
  const starting = {
    config: {
      ...perAddress('provider-start', 60, minute),
      ...withoutLogin,
      ...refuses(ForeignOrigin, NoProvider, LinkNotAccepted, ProviderMisconfigured, ProviderUnavailable),
    },
    schema: {
      operationId: 'startProviderRegistration',
      summary: 'Start a login by the sign-in provider with the link of an invitation or of a claim',
      body: LinkSecret,
      response: { 200: ProviderAddress },
    },
  };
  app.post('/start', starting, async (request, reply) => {
    if (!parts) throw new NoProvider();
    // Another site must not make a visitor the administrator, or take them into a login that they did not start.
    if (!sessions.isFromAllowedOrigin(request)) throw new ForeignOrigin();
    const offer = await readOffer(app.db, config, request.body.secret);
    if (!offer) throw new LinkNotAccepted();
    const start = { userId: null, offer, browser: bindBrowser(request, reply, parts.settings.origin) };
    return { url: await addressOf(request, startLogin(app.db, parts.provider, start)) };
  });
};

const callbackRoute: FastifyPluginAsyncTypebox<Options> = async (app, { parts }) => {
  const returning = {
    config: { ...perAddress('provider-callback', 60, minute), ...withoutLogin, ...refuses(NoProvider) },
    schema: {
      operationId: 'returnFromProvider',
      summary: 'Take the answer of the sign-in provider',
      querystring: Type.Object({
        state: Type.Optional(Type.String({ description: 'as the login started' })),
        code: Type.Optional(Type.String({ description: 'for the identity of the person' })),
        error: Type.Optional(Type.String({ description: 'why the provider refused' })),
      }),
    },
  };

  /** @returns the path of the page that continues @throws ProviderProblem */
  async function pageAfter({ settings, provider }: ProviderParts, request: FastifyRequest, started?: Started) {
    if (!started) throw new ProviderProblem('expired', 'the state is unknown, used or too old');
    const { browser, ...checks } = started.data;
    if (!isSameBrowser(request, settings.origin, browser)) {
      throw new ProviderProblem('expired', 'another browser started it');
    }
    const search = request.url.slice(request.url.indexOf('?'));
    const person = await provider.identify(search, checks);
    return arriveAt(app.db, request, { person, started, settings });
  }

  app.get('/callback', returning, async (request, reply) => {
    if (!parts) throw new NoProvider();
    const { origin } = parts.settings;
    const { state } = request.query;
    // Ends it, so that an answer counts once.
    const taken = state === undefined ? undefined : await takeChallenge(app.db, 'provider-login', state);
    const started = taken && { ...taken, data: { ...taken.data, state: state ?? '' } };
    try {
      return leadTo(reply, `${origin}${await pageAfter(parts, request, started)}`);
    } catch (error) {
      return reportProblem(app.db, { request, reply }, { error, origin, userId: started?.userId ?? null });
    }
  });
};

const finishRoute: FastifyPluginAsyncTypebox<Options> = async (app, { parts, sessions, openSession }) => {
  /** Whether the browser has a session of another account, which a link on another site must not replace. */
  async function hasOtherSession(request: FastifyRequest, userId: string): Promise<boolean> {
    const open = sessions.acting(request);
    const account = open && (await findSessionAccount(app.db, open.sessionId));
    return account !== undefined && account.id !== userId;
  }

  const finishing = {
    config: {
      ...perAddress('provider-finish', 60, minute),
      ...withoutLogin,
      ...refuses(
        ...[ForeignOrigin, OtherAccountOpen, ProviderLoginExpired, WrongCredentials],
        ...[AccountDisabled, AccountPending],
      ),
    },
    schema: {
      operationId: 'logInByProvider',
      summary: 'Fetch the session of a login by the sign-in provider',
      body: ProviderFinish,
      response: { 200: LoginAnswer },
    },
  };
  app.post('/finish', finishing, async (request, reply) => {
    const { code, language = 'en', switch_account: switches = false } = request.body;
    const found = await findChallenge(app.db, 'provider-session', code);
    const isOurs = parts && found && isSameBrowser(request, parts.settings.origin, found.data.browser);
    const user = isOurs && found.userId ? await findUser(app.db, found.userId) : undefined;
    if (user && !switches && (await hasOtherSession(request, user.id))) throw new OtherAccountOpen();
    const { data } = (await takeChallenge(app.db, 'provider-session', code)) ?? {};
    if (!user || !data) throw new ProviderLoginExpired();
    const { identityId, sid: providerSid, idToken } = data;
    const opening = { method: 'provider', identityId, providerSid, idToken } as const;
    const token = await openSession({ request, reply, user, language }, opening);
    return { access_token: token, user: userAnswer(user) };
  });
};

export const loginRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  await app.register(startRoute, options);
  await app.register(offerRoute, options);
  await app.register(callbackRoute, options);
  await app.register(finishRoute, options);
};
