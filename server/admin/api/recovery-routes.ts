/** Ways back into an account whose owner lost the password or the second factors. They need a proof of the administrator. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { actorOf, note } from '../../audit/note.ts';
import { assertPasswords } from '../../auth/password/assert-passwords.ts';
import { endSessions } from '../../auth/queries.ts';
import { resetFactors } from '../../auth/second-factor/queries.ts';
import type { Config } from '../../config/config.ts';
import { AdminAccountAnswer, GivenProof, PasswordLink } from '../../contract.ts';
import { underOwnerLock } from '../../database/statements/owner-lock.ts';
import { AccountDisabled, InvalidRequest, NotFound, PasswordLoginOff, ProofNeeded } from '../../errors.ts';
import { linkOrigin } from '../../http/link-origin.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { createPasswordLink, PASSWORD_LINK_MS } from '../password-link.ts';
import { accountAnswer } from './account-answer.ts';
import type { AccountRow } from './account-queries.ts';
import { AccountParams, accountAt, changing } from './requests.ts';

type ProvenRequest = FastifyRequest<{ Params: { id: string }; Body: GivenProof }>;

export const recoveryRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  /** For what would open the account to the caller. @throws NotFound, ProofNeeded, InvalidRequest for the caller's own account */
  async function otherAccountOf(request: ProvenRequest): Promise<AccountRow> {
    const account = await accountAt(app.db, request.params.id);
    if (account.id === request.account.id) throw new InvalidRequest('Change your own account in the settings.');
    await app.accounts.proofs.assert(request, request.body.proof);
    return account;
  }

  const resetting = {
    config: { ...changing, ...refuses(NotFound, ProofNeeded) },
    schema: {
      operationId: 'resetSecondFactorsOf',
      summary: 'Remove the passkeys and codes of an account whose owner lost them',
      params: AccountParams,
      body: GivenProof,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.delete('/:id/second-factors', resetting, async (request) => {
    const account = await otherAccountOf(request);
    const isReset = await underOwnerLock(app.db, account.id, async (tx) => {
      const { passkeys, hasTotp, recoveryCodes } = await resetFactors(tx, account.id);
      const details = { passkeys, totp: hasTotp, recovery_codes: recoveryCodes };
      const ended = await endSessions(tx, account.id);
      const isChange = passkeys > 0 || hasTotp || recoveryCodes > 0 || ended > 0;
      if (isChange) await note(tx, { action: 'factor.reset', actor: actorOf(request), account, details });
      return isChange;
    });
    if (isReset) app.accounts.mailWayIn(request, { kind: 'factors-reset' }, account);
    return { account: accountAnswer(await accountAt(app.db, account.id)) };
  });

  const linking = {
    config: { ...changing, ...refuses(NotFound, AccountDisabled, ProofNeeded, PasswordLoginOff) },
    schema: {
      operationId: 'createPasswordLink',
      summary: 'Create a link with which the owner of an account sets a new password',
      params: AccountParams,
      body: GivenProof,
      response: { 201: PasswordLink },
    },
  };
  app.post('/:id/password-link', linking, async (request, reply) => {
    assertPasswords(config);
    const account = await otherAccountOf(request);
    const path = await createPasswordLink(app.db, { account, actor: actorOf(request) });
    const url = `${linkOrigin(request, config.publicUrl)}${path}`;
    return reply.code(201).send({ url, expires_at: new Date(Date.now() + PASSWORD_LINK_MS).toISOString() });
  });
};
