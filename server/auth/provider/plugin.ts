/** Login by an identity provider (OpenID Connect): the routes below /api/auth/provider. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../../config/config.ts';
import type { Sessions } from '../guard.ts';
import type { Proofs } from '../second-factor/proof.ts';
import type { OpenSession } from '../session/open-session.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { identityRoutes } from './identity-routes.ts';
import { loginRoutes } from './login-routes.ts';
import { logoutRoutes } from './logout-routes.ts';
import type { ProviderParts } from './provider-client.ts';

type Options = {
  config: Config;
  parts: ProviderParts | undefined;
  sessions: Sessions;
  openSession: OpenSession;
  proofs: Proofs;
};

export const providerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, parts, sessions, openSession, proofs } = options;
  await app.register(loginRoutes, { config, parts, sessions, openSession });
  await app.register(confirmRoutes, { parts, proofs });
  await app.register(identityRoutes, { config, parts, proofs });
  await app.register(logoutRoutes, { config, parts, sessions });
};
