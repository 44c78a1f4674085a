/** Login by an identity provider (OpenID Connect): the routes below /api/auth/provider. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../../config/config.ts';
import type { Proofs } from '../second-factor/proof.ts';
import type { OpenSession } from '../session/open-session.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { identityRoutes } from './identity-routes.ts';
import { loginRoutes } from './login-routes.ts';
import { logoutRoutes } from './logout-routes.ts';
import { createProviderClient } from './provider-client.ts';
import { providerSettings } from './provider-settings.ts';

type Options = { config: Config; openSession: OpenSession; proofs: Proofs };

export const providerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, openSession, proofs }) => {
  const settings = providerSettings(config);
  const parts = settings && { settings, provider: createProviderClient(settings) };
  await app.register(loginRoutes, { config, parts, openSession });
  await app.register(confirmRoutes, { parts, proofs });
  await app.register(identityRoutes, { config, parts, proofs });
  await app.register(logoutRoutes, { config, parts });
};
