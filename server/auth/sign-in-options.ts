import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../config/config.ts';
import { SignInOptions } from '../contract.ts';
import { withoutLogin } from '../http/scopes.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';
import { promoteCommand } from './roles/announce-claim.ts';
import { hasAdmin } from './roles/queries.ts';

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
  // The last administrator stays, so the answer yes is final.
  let isSetUp = false;
  app.get('/config', reading, async (request) => {
    isSetUp ||= await hasAdmin(app.db);
    return {
      password_reset: sendsMail,
      passkeys: typeof relyingPartyOf(request, config.publicUrl) !== 'string',
      abuse_contact: config.abuseContact ?? null,
      registration: config.registration,
      password_login: config.passwordLogin === 'on',
      provider: config.oidcIssuer ? { label: config.oidcButton ?? null, auto: config.oidcAuto === 'on' } : null,
      setup: isSetUp ? null : { command: promoteCommand() },
    };
  });
};
