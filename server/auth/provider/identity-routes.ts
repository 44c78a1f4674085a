/** The identities of an account: its owner links, lists and unlinks them. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { GivenProof, IdentityList, ProviderAddress } from '../../contract.ts';
import {
  LastLogin,
  NoProvider,
  NotFound,
  ProofNeeded,
  ProviderMisconfigured,
  ProviderUnavailable,
} from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionOnly } from '../../http/scopes.ts';
import type { Proofs } from '../second-factor/proof.ts';
import { bindBrowser } from './browser.ts';
import type { ProviderParts } from './provider-client.ts';
import { type IdentityRow, listIdentities, unlinkIdentity } from './queries.ts';
import { addressOf, startLogin } from './start-login.ts';

const minute = 60_000;

const answerOf = ({ id, issuer, label, createdAt, usedAt }: IdentityRow) => ({
  ...{ id, issuer, label },
  created_at: createdAt.toISOString(),
  used_at: usedAt.toISOString(),
});

type Options = { config: Config; parts: ProviderParts | undefined; proofs: Proofs };

export const identityRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, parts, proofs }) => {
  const { db } = app;
  app.addHook('onRequest', app.guard);

  const listing = {
    config: sessionOnly,
    schema: {
      operationId: 'listIdentities',
      summary: 'List the identities at the sign-in provider by which the account logs in',
      response: { 200: IdentityList },
    },
  };
  app.get('/identities', listing, async ({ account }) => ({
    identities: (await listIdentities(db, account.id)).map(answerOf),
    can_link: parts !== undefined,
  }));

  const linking = {
    config: {
      ...perAccount('provider-link', 20, minute),
      ...sessionOnly,
      ...refuses(NoProvider, ProviderMisconfigured, ProviderUnavailable, ProofNeeded),
    },
    schema: {
      operationId: 'linkIdentity',
      summary: 'Start to link an identity at the sign-in provider to the account',
      body: GivenProof,
      response: { 200: ProviderAddress },
    },
  };
  app.post('/link', linking, async (request, reply) => {
    if (!parts) throw new NoProvider();
    // A linked identity logs in for good.
    await proofs.assert(request, request.body.proof);
    const { settings, provider } = parts;
    const { account, sessionId } = request;
    const start = { userId: account.id, sessionId, browser: bindBrowser(request, reply, settings.origin) };
    return { url: await addressOf(request, startLogin(db, provider, start)) };
  });

  const unlinking = {
    config: {
      ...perAccount('provider-link', 20, minute),
      ...sessionOnly,
      ...refuses(NotFound, LastLogin, ProofNeeded),
    },
    schema: {
      operationId: 'unlinkIdentity',
      summary: 'Unlink an identity',
      description: 'Ends the other sessions that it opened.',
      params: Type.Object({ id: Type.String() }),
      body: GivenProof,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/identities/:id', unlinking, async (request, reply) => {
    const { account, sessionId, params } = request;
    await proofs.assert(request, request.body.proof);
    const unlinking = { userId: account.id, identityId: params.id, sessionId, config };
    const name = await db.transaction(async (tx) => {
      const row = isUuid(params.id) ? await unlinkIdentity(tx, unlinking) : undefined;
      if (!row) throw new NotFound('This identity is not linked to your account. It may have been unlinked already.');
      if (row === 'last') throw new LastLogin();
      const details = { issuer: row.issuer, identity: row.label };
      await note(tx, { action: 'provider.unlinked', actor: actorOf(request), details });
      return row.label;
    });
    app.accounts.mailWayIn(request, { kind: 'identity-unlinked', name });
    return reply.code(204).send(null);
  });
};
