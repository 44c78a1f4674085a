/** The second step of a login. Its first step is POST /api/auth/login. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { LoginAnswer, PasskeyRequest, SecondFactorBody, StepToken } from '../../contract.ts';
import {
  AccountDisabled,
  AccountPending,
  LoginStepEnded,
  PasskeysUnavailable,
  TotpUnreadable,
  WrongCredentials,
  WrongSecondFactor,
} from '../../errors.ts';
import { perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { withoutLogin } from '../../http/scopes.ts';
import type { OpenSession } from '../session/open-session.ts';
import { userAnswer } from '../user-answer.ts';
import type { SecondStep } from './second-step.ts';

const minute = 60_000;

type Options = { secondStep: SecondStep; openSession: OpenSession };

export const secondFactorRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { secondStep, openSession }) => {
  const finishing = {
    config: {
      ...perAddress('login', 60, minute),
      ...withoutLogin,
      ...refuses(
        ...[WrongSecondFactor, LoginStepEnded, PasskeysUnavailable, TotpUnreadable],
        ...[AccountDisabled, AccountPending, WrongCredentials],
      ),
    },
    schema: {
      operationId: 'giveSecondFactor',
      summary: 'Finish a login with a second factor',
      body: SecondFactorBody,
      response: { 200: LoginAnswer },
    },
  };
  app.post('/second-factor', finishing, async (request, reply) => {
    const { user, language, secondFactor } = await secondStep.finish(request, request.body);
    const token = await openSession({ request, reply, user, language }, { method: 'password', secondFactor });
    return { access_token: token, user: userAnswer(user) };
  });

  const asking = {
    config: {
      ...perAddress('passkey-options', 120, minute),
      ...withoutLogin,
      ...refuses(LoginStepEnded, PasskeysUnavailable),
    },
    schema: {
      operationId: 'requestSecondPasskey',
      summary: 'Get the request for a passkey as second factor',
      body: StepToken,
      response: { 200: PasskeyRequest },
    },
  };
  app.post('/second-factor/passkey', asking, (request) => secondStep.askPasskey(request, request.body.token));
};
