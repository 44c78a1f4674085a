/** A login at the provider that confirms the owner of a session, for accounts that use no password. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ProviderAddress } from '../../contract.ts';
import { NoProvider, NoProviderProof, ProviderMisconfigured, ProviderUnavailable } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionWithoutFactor } from '../../http/scopes.ts';
import type { Proofs } from '../second-factor/proof.ts';
import { bindBrowser } from './browser.ts';
import type { ProviderParts } from './provider-client.ts';
import { addressOf, startLogin } from './start-login.ts';

const minute = 60_000;

type Options = { parts: ProviderParts | undefined; proofs: Proofs };

export const confirmRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { parts, proofs }) => {
  app.addHook('onRequest', app.guard);
  ignoreBodies(app);

  const starting = {
    config: {
      ...perAccount('provider-link', 20, minute),
      ...sessionWithoutFactor,
      ...refuses(NoProvider, NoProviderProof, ProviderMisconfigured, ProviderUnavailable),
    },
    schema: {
      operationId: 'startProviderProof',
      summary: 'Start a new login at the sign-in provider that confirms who you are',
      response: { 200: ProviderAddress },
    },
  };
  app.post('/proof', starting, async (request, reply) => {
    if (!parts) throw new NoProvider();
    if (!(await proofs.canAskProvider(request))) throw new NoProviderProof();
    const { account, sessionId } = request;
    const since = Math.floor(Date.now() / 1000);
    const start = { userId: account.id, sessionId, since, browser: bindBrowser(request, reply, parts.settings.origin) };
    return { url: await addressOf(request, startLogin(app.db, parts.provider, start)) };
  });
};
