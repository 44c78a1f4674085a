import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { PasskeyRequest, Proof, ProofBody } from '../../contract.ts';
import { PasskeysUnavailable, PasswordLoginOff, ProofNotAccepted, WrongPassword } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionWithoutFactor } from '../../http/scopes.ts';
import type { Proofs } from './proof.ts';

const minute = 60_000;

export const proofRoutes: FastifyPluginAsyncTypebox<{ proofs: Proofs }> = async (app, { proofs }) => {
  app.addHook('onRequest', app.guard);

  const proving = {
    config: {
      // The same limit as logins: a stolen session does not allow faster guesses.
      ...perAddress('login', 60, minute),
      ...sessionWithoutFactor,
      ...refuses(WrongPassword, PasswordLoginOff, ProofNotAccepted, PasskeysUnavailable),
    },
    schema: {
      operationId: 'proveOwner',
      summary: 'Confirm who you are, for what an open session alone must not do',
      body: ProofBody,
      response: { 200: Proof },
    },
  };
  app.post('/', proving, (request) => proofs.give(request, request.body));

  await app.register(async (plain) => {
    ignoreBodies(plain);
    const scope = plain.withTypeProvider<TypeBoxTypeProvider>();
    const asking = {
      config: {
        ...perAddress('passkey-options', 120, minute),
        ...sessionWithoutFactor,
        ...refuses(PasskeysUnavailable),
      },
      schema: {
        operationId: 'requestPasskeyProof',
        summary: 'Get the request to confirm who you are by passkey',
        response: { 200: PasskeyRequest },
      },
    };
    scope.post('/passkey', asking, (request) => proofs.ask(request));
  });
};
