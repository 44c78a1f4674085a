/** Reads and changes the authenticator app and the recovery codes of an account. Passkeys are in passkey-routes.ts. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { FactorAdded, Factors, Proved, RecoveryCodes, TotpCode, TotpSecret } from '../../contract.ts';
import { underCallerLock } from '../../database/statements/owner-lock.ts';
import {
  FactorExists,
  LastFactor,
  LastWayIn,
  NoFactor,
  NotFound,
  ProofNeeded,
  TotpUnreadable,
  WrongCode,
} from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { linkOrigin } from '../../http/link-origin.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionWithoutFactor } from '../../http/scopes.ts';
import { listPasskeys } from '../passkeys/queries.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import type { Codes } from './codes.ts';
import { afterFactor, renewRecoveryCodes } from './first-codes.ts';
import { passkeyAnswer } from './passkey-answer.ts';
import type { Proofs } from './proof.ts';
import { assertMayLack, countFactors, deleteTotp, hasFactor, usesPassword } from './queries.ts';
import { requiresFactor } from './required.ts';
import { describeTotp } from './totp.ts';

const minute = 60_000;

const changing = { ...perAccount('factors', 60, 15 * minute), ...sessionWithoutFactor };

type Options = { config: Config; codes: Codes; proofs: Proofs };

export const factorRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, codes, proofs }) => {
  app.addHook('onRequest', app.guard);

  const reading = {
    config: sessionWithoutFactor,
    schema: { operationId: 'getFactors', summary: 'Read the second factors', response: { 200: Factors } },
  };
  app.get('/', reading, async (request) => {
    const { account } = request;
    const counts = await countFactors(app.db, account.id);
    const party = relyingPartyOf(request, config.publicUrl);
    return {
      passkeys: (await listPasskeys(app.db, account.id)).map(passkeyAnswer),
      passkey_obstacle: typeof party === 'string' ? party : null,
      passkey_origin: typeof party === 'string' ? null : party.origin,
      totp: counts.hasTotp,
      recovery_codes: counts.recoveryCodes,
      required: requiresFactor(config, account),
      has_password: counts.hasPassword,
      password_proof: usesPassword(config, counts),
      provider_proof: await proofs.byProvider(request),
    };
  });

  await app.register(totpRoutes, { config, codes, proofs });

  const renewing = {
    config: { ...changing, ...refuses(ProofNeeded, NoFactor) },
    schema: {
      operationId: 'renewRecoveryCodes',
      summary: 'Replace the recovery codes',
      body: Proved,
      response: { 200: RecoveryCodes },
    },
  };
  app.post('/recovery-codes', renewing, async (request) => {
    const { account, body } = request;
    await proofs.assert(request, body.proof);
    const recovery_codes = await underCallerLock(app.db, request, async (tx) => {
      if (!hasFactor(await countFactors(tx, account.id))) throw new NoFactor();
      await note(tx, { action: 'factor.added', actor: actorOf(request), details: { factor: 'recovery-codes' } });
      return renewRecoveryCodes(tx, account.id);
    });
    app.accounts.mailWayIn(request, { kind: 'codes-renewed' });
    return { recovery_codes };
  });
};

const totpRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, codes, proofs }) => {
  const beginning = {
    config: { ...changing, ...refuses(ProofNeeded, FactorExists) },
    schema: {
      operationId: 'beginTotp',
      summary: 'Get a new secret for an authenticator app',
      body: Proved,
      response: { 200: TotpSecret },
    },
  };
  app.post('/totp', beginning, async (request) => {
    await proofs.assert(request, request.body.proof);
    const issuer = new URL(linkOrigin(request, config.publicUrl)).hostname;
    return describeTotp(await codes.begin(request), { issuer, label: request.account.email });
  });

  const confirming = {
    config: { ...changing, ...refuses(ProofNeeded, WrongCode, TotpUnreadable) },
    schema: {
      operationId: 'confirmTotp',
      summary: 'Set up the authenticator app, with its first code',
      description: 'The first second factor ends the other sessions.',
      body: TotpCode,
      response: { 200: FactorAdded },
    },
  };
  app.post('/totp/confirm', confirming, async (request) => {
    const { body } = request;
    await proofs.assert(request, body.proof);
    const added = await codes.confirm(request, body.code, async (tx) => {
      await note(tx, { action: 'factor.added', actor: actorOf(request), details: { factor: 'totp' } });
      return afterFactor(tx, request);
    });
    if (!added) throw new WrongCode();
    app.accounts.mailWayIn(request, { kind: 'app-added' });
    return added;
  });

  const removing = {
    config: { ...changing, ...refuses(ProofNeeded, NotFound, LastFactor, LastWayIn) },
    schema: {
      operationId: 'removeTotp',
      summary: 'Remove the authenticator app',
      body: Proved,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/totp', removing, async (request, reply) => {
    const { account, body } = request;
    await proofs.assert(request, body.proof);
    await underCallerLock(app.db, request, async (tx) => {
      if (!(await deleteTotp(tx, account.id))) throw new NotFound('No authenticator app is set up.');
      await assertMayLack(tx, config, account.id, requiresFactor(config, account));
      await note(tx, { action: 'factor.removed', actor: actorOf(request), details: { factor: 'totp' } });
    });
    app.accounts.mailWayIn(request, { kind: 'app-removed' });
    return reply.code(204).send(null);
  });
};
