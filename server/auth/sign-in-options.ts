import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../config/config.ts';
import { SignInOptions } from '../contract.ts';
import { withoutLogin } from '../http/scopes.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';

type Options = {
  config: Config;
  sendsMail: boolean;
};

export const signInOptions: FastifyPluginAsyncTypebox<Options> = async (app, { config, sendsMail }) => {
  const reading = {
    config: withoutLogin,
    schema: {
      operationId: 'getSignInOptions',
      summary: 'Read what the login page offers',
      response: { 200: SignInOptions },
    },
  };
  app.get('/config', reading, async (request) => ({
    password_reset: sendsMail,
    passkeys: typeof relyingPartyOf(request, config.publicUrl) !== 'string',
    abuse_contact: config.abuseContact ?? null,
    registration: config.registration,
    password_login: config.passwordLogin === 'on',
    provider: config.oidcIssuer ? { label: config.oidcButton ?? null, auto: config.oidcAuto === 'on' } : null,
  }));
};
