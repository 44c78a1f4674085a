/** Adds, renames and removes the passkeys of an account. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { NewPasskey, PasskeyAdded, PasskeyAnswered, PasskeyRename, PasskeyRequest, Proved } from '../../contract.ts';
import { underCallerLock } from '../../database/statements/owner-lock.ts';
import {
  LastFactor,
  LastWayIn,
  NotFound,
  PasskeyNotAdded,
  PasskeysUnavailable,
  ProofNeeded,
  TooManyPasskeys,
} from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionOnly, sessionWithoutFactor } from '../../http/scopes.ts';
import { createChallenge, takeChallenge } from '../challenge-queries.ts';
import { ceremonyTime, challengeOf, registrationOptions, verifyRegistration } from '../passkeys/ceremonies.ts';
import { deletePasskey, insertPasskey, listPasskeys, MAX_PASSKEYS, renamePasskey } from '../passkeys/queries.ts';
import { assertRelyingParty } from '../passkeys/relying-party.ts';
import { agentOf } from '../session/user-agent.ts';
import { afterFactor } from './first-codes.ts';
import { passkeyAnswer, passkeyName } from './passkey-answer.ts';
import type { Proofs } from './proof.ts';
import { assertMayLack } from './queries.ts';
import { requiresFactor } from './required.ts';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    'passkey-registration': { sessionId: string };
  }
}

const minute = 60_000;
const kind = 'passkey-registration';
const Params = Type.Object({ id: Type.String() });
const noSuchPasskey = () => new NotFound('There is no such passkey. It may have been removed already.');

/** The name of a passkey whose owner gives none: where it was made. */
async function namedBy(userAgent: string | undefined): Promise<string> {
  const { browser, system } = await agentOf(userAgent ?? null);
  return passkeyName([browser, system].filter(Boolean).join(', ').slice(0, 64) || 'Passkey');
}

type Options = { config: Config; proofs: Proofs };

const addingRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, proofs }) => {
  const changing = { ...perAccount('factors', 60, 15 * minute), ...sessionWithoutFactor };

  const asking = {
    config: { ...changing, ...refuses(ProofNeeded, PasskeysUnavailable, TooManyPasskeys) },
    schema: {
      operationId: 'requestPasskey',
      summary: 'Get the request for a new passkey',
      body: Proved,
      response: { 200: PasskeyRequest },
    },
  };
  app.post('/options', asking, async (request) => {
    const { account, sessionId, body } = request;
    const party = assertRelyingParty(request, config.publicUrl);
    await proofs.assert(request, body.proof);
    const existing = await listPasskeys(app.db, account.id);
    if (existing.length >= MAX_PASSKEYS) throw new TooManyPasskeys(String(MAX_PASSKEYS));
    const step = { kind, userId: account.id, data: { sessionId }, lifetimeMs: ceremonyTime } as const;
    return registrationOptions({ party, challenge: await createChallenge(app.db, step), user: account, existing });
  });

  const adding = {
    config: { ...changing, ...refuses(PasskeyNotAdded, PasskeysUnavailable, TooManyPasskeys) },
    schema: {
      operationId: 'addPasskey',
      summary: 'Add a passkey',
      description: 'The first second factor ends the other sessions.',
      body: NewPasskey,
      response: { 201: PasskeyAdded },
    },
  };
  app.post('/', adding, async (request, reply) => {
    const { account, sessionId, body, headers, log } = request;
    const party = assertRelyingParty(request, config.publicUrl);
    const challenge = challengeOf(body.passkey);
    // Only a session that has confirmed its owner got this challenge.
    const step = await takeChallenge(app.db, kind, challenge);
    const isOwn = step?.userId === account.id && step.data.sessionId === sessionId;
    const made = isOwn ? await verifyRegistration({ party, challenge, log }, body.passkey) : undefined;
    if (!made) throw new PasskeyNotAdded();
    const name = body.name === undefined ? await namedBy(headers['user-agent']) : passkeyName(body.name);
    const added = await underCallerLock(app.db, request, async (tx) => {
      const row = await insertPasskey(tx, { ...made, name, userId: account.id });
      await note(tx, { action: 'factor.added', actor: actorOf(request), details: { factor: 'passkey', name } });
      return { passkey: passkeyAnswer(row), ...(await afterFactor(tx, request)) };
    });
    app.accounts.mailWayIn(request, { kind: 'passkey-added', name });
    return reply.code(201).send(added);
  });
};

export const passkeyRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, proofs }) => {
  app.addHook('onRequest', app.guard);
  await app.register(addingRoutes, { config, proofs });
  const changing = { ...perAccount('factors', 60, 15 * minute), ...sessionOnly };

  const renaming = {
    config: { ...changing, ...refuses(NotFound) },
    schema: {
      operationId: 'renamePasskey',
      summary: 'Rename a passkey',
      params: Params,
      body: PasskeyRename,
      response: { 200: PasskeyAnswered },
    },
  };
  app.patch('/:id', renaming, async (request) => {
    const { account, params, body } = request;
    const name = passkeyName(body.name);
    const renamed = await app.db.transaction(async (tx) => {
      const done = isUuid(params.id) ? await renamePasskey(tx, account.id, params.id, name) : undefined;
      if (!done) throw noSuchPasskey();
      const details = { factor: 'passkey', name };
      if (done.isChange) await note(tx, { action: 'factor.renamed', actor: actorOf(request), details });
      return done.row;
    });
    return { passkey: passkeyAnswer(renamed) };
  });

  const removing = {
    config: { ...changing, ...refuses(ProofNeeded, NotFound, LastFactor, LastWayIn) },
    schema: {
      operationId: 'removePasskey',
      summary: 'Remove a passkey',
      params: Params,
      body: Proved,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', removing, async (request, reply) => {
    const { account, body, params } = request;
    await proofs.assert(request, body.proof);
    const { name } = await underCallerLock(app.db, request, async (tx) => {
      const row = isUuid(params.id) ? await deletePasskey(tx, account.id, params.id) : undefined;
      if (!row) throw noSuchPasskey();
      await assertMayLack(tx, config, account.id, requiresFactor(config, account));
      const details = { factor: 'passkey', name: row.name };
      await note(tx, { action: 'factor.removed', actor: actorOf(request), details });
      return row;
    });
    app.accounts.mailWayIn(request, { kind: 'passkey-removed', name });
    return reply.code(204).send(null);
  });
};
