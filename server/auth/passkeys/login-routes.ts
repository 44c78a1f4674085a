/** Logins by passkey alone. The device has verified the person, so no further factor is requested. */
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { LoginAnswer, PasskeyLogin, PasskeyRequest } from '../../contract.ts';
import {
  AccountDisabled,
  AccountPending,
  PasskeyNotAccepted,
  PasskeysUnavailable,
  WrongCredentials,
} from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { withoutLogin } from '../../http/scopes.ts';
import { noteFailure } from '../note-failure.ts';
import type { OpenSession } from '../session/open-session.ts';
import { userAnswer } from '../user-answer.ts';
import type { Passkeys } from './authenticate.ts';

const minute = 60_000;

type Options = { passkeys: Passkeys; openSession: OpenSession };

export const passkeyLoginRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { passkeys, openSession }) => {
  await app.register(async (plain) => {
    ignoreBodies(plain);
    const scope = plain.withTypeProvider<TypeBoxTypeProvider>();
    const asking = {
      config: { ...perAddress('passkey-options', 120, minute), ...withoutLogin, ...refuses(PasskeysUnavailable) },
      schema: {
        operationId: 'requestPasskeyLogin',
        summary: 'Get the request for a login by passkey',
        response: { 200: PasskeyRequest },
      },
    };
    scope.post('/passkey/options', asking, (request) => passkeys.ask(request, 'passkey-login', null));
  });

  const loggingIn = {
    config: {
      ...perAddress('login', 60, minute),
      ...withoutLogin,
      ...refuses(PasskeyNotAccepted, PasskeysUnavailable, AccountDisabled, AccountPending, WrongCredentials),
    },
    schema: {
      operationId: 'logInByPasskey',
      summary: 'Log in by passkey',
      body: PasskeyLogin,
      response: { 200: LoginAnswer },
    },
  };
  app.post('/passkey', loggingIn, async (request, reply) => {
    const { passkey: answer, language = 'en' } = request.body;
    const found = await passkeys.check(request, 'passkey-login', answer, null);
    if (!found) {
      await noteFailure(app.db, request, { reason: 'passkey' });
      throw new PasskeyNotAccepted();
    }
    const { user } = found;
    const token = await openSession({ request, reply, user, language }, { method: 'passkey' });
    return { access_token: token, user: userAnswer(user) };
  });
};
