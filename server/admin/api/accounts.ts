/** Accounts, for administrators. Every change is in the audit log. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { actorOf, note } from '../../audit/note.ts';
import { assertPasswords } from '../../auth/password/assert-passwords.ts';
import { insertReset } from '../../auth/password-reset/queries.ts';
import { endSessions, setDisabled } from '../../auth/queries.ts';
import { approve, setQuota, setRole } from '../../auth/roles/queries.ts';
import { resetFactors } from '../../auth/second-factor/queries.ts';
import type { Config } from '../../config/config.ts';
import {
  AccountDeletion,
  AdminAccountAnswer,
  AdminAccountChange,
  AdminAccountPage,
  GivenProof,
  PasswordLink,
  SessionsEnded,
} from '../../contract.ts';
import { underOwnerLock } from '../../database/statements/owner-lock.ts';
import {
  AccountDisabled,
  InvalidRequest,
  LastAdmin,
  NotFound,
  PasswordLoginOff,
  ProofNeeded,
  WrongName,
} from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { linkOrigin } from '../../http/link-origin.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { readPage } from '../../http/page-number.ts';
import { forAdmins } from '../../http/scopes.ts';
import { hashToken, newToken } from '../../mail/token.ts';
import { accountAnswer } from './account-answer.ts';
import { type AccountRow, findAccount, listAccounts } from './account-queries.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const pageSize = 50;

const Params = Type.Object({ id: Type.String() });
const Query = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  state: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('pending'), Type.Literal('disabled'), Type.Literal('admin')]),
  ),
  page: Type.Optional(Type.Unknown()),
});

type ProvenRequest = FastifyRequest<{ Params: { id: string }; Body: GivenProof }>;

const changing = { ...perAccount('administration', 600, minute), ...forAdmins };

export const accountsRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  /** @throws NotFound */
  async function accountAt(id: string): Promise<AccountRow> {
    const row = isUuid(id) ? await findAccount(app.db, id) : undefined;
    if (!row) throw new NotFound('There is no such account. It may have been deleted.');
    return row;
  }
  const answerAt = async (id: string) => ({ account: accountAnswer(await accountAt(id)) });

  const listing = {
    config: forAdmins,
    schema: {
      operationId: 'listAccounts',
      summary: 'List the accounts',
      querystring: Query,
      response: { 200: AdminAccountPage },
    },
  };
  app.get('/', listing, async ({ query: { search = '', state = 'all', page: sent } }) => {
    const page = readPage(sent);
    const { rows, total } = await listAccounts(app.db, { search, state }, { page, size: pageSize });
    return { accounts: rows.map(accountAnswer), page, total, totalPages: Math.ceil(total / pageSize) };
  });

  const reading = {
    config: { ...forAdmins, ...refuses(NotFound) },
    schema: {
      operationId: 'readAccount',
      summary: 'Read an account',
      params: Params,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.get('/:id', reading, ({ params }) => answerAt(params.id));

  const editing = {
    config: { ...changing, ...refuses(NotFound, LastAdmin, ProofNeeded) },
    schema: {
      operationId: 'changeAccountOf',
      summary: 'Change the role, the quota or the state of an account',
      params: Params,
      body: AdminAccountChange,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.patch('/:id', editing, async (request) => {
    const account = await accountAt(request.params.id);
    const { role, quota_images: quotaImages, quota_bytes: quotaBytes, disabled, ...body } = request.body;
    if (Object.keys(request.body).length === 0) throw new InvalidRequest('Nothing was given to change.');
    const entry = { actor: actorOf(request), account };
    if (role !== undefined && role !== account.role) {
      if (role === 'admin') await app.proofs.assert(request, body.proof ?? '');
      await setRole(app.db, account.id, role);
      await note(app.db, { ...entry, action: 'account.role', details: { role } });
    }
    if (quotaImages !== undefined || quotaBytes !== undefined) {
      const quota = {
        ...(quotaImages === undefined ? {} : { quotaImages }),
        ...(quotaBytes === undefined ? {} : { quotaBytes }),
      };
      await setQuota(app.db, account.id, quota);
      await note(app.db, { ...entry, action: 'account.quota', details: quota });
    }
    const isOpen = account.disabledAt === null && account.linksSilencedAt === null;
    if (disabled === true || (disabled === false && !isOpen)) {
      await setDisabled(app.db, account.id, disabled, body.silence_links);
      const details: Record<string, boolean> = disabled ? { links: body.silence_links === true } : {};
      await note(app.db, { ...entry, action: disabled ? 'account.disabled' : 'account.enabled', details });
    }
    return answerAt(account.id);
  });

  const deleting = {
    config: { ...changing, ...refuses(NotFound, LastAdmin, WrongName) },
    schema: {
      operationId: 'deleteAccountOf',
      summary: 'Delete an account and all of its images',
      params: Params,
      body: AccountDeletion,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', deleting, async (request, reply) => {
    const account = await accountAt(request.params.id);
    if (request.body.username !== account.username) throw new WrongName();
    await app.images.deleteAccount({ id: account.id });
    const details = { images: account.imageCount, bytes: account.imageBytes };
    await note(app.db, { action: 'account.deleted', actor: actorOf(request), account, details });
    // Not awaited: a large account takes a while, and sweeps retry failures.
    void app.sweeps.purge();
    return reply.code(204).send(null);
  });

  /** For what would open the account to the caller. @throws NotFound, ProofNeeded, InvalidRequest for the caller's own account */
  async function otherAccountOf(request: ProvenRequest): Promise<AccountRow> {
    const account = await accountAt(request.params.id);
    if (account.id === request.account.id) throw new InvalidRequest('Change your own account in the settings.');
    await app.proofs.assert(request, request.body.proof);
    return account;
  }

  const resetting = {
    config: { ...changing, ...refuses(NotFound, ProofNeeded) },
    schema: {
      operationId: 'resetSecondFactorsOf',
      summary: 'Remove the passkeys and codes of an account whose owner lost them',
      params: Params,
      body: GivenProof,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.delete('/:id/second-factors', resetting, async (request) => {
    const account = await otherAccountOf(request);
    await underOwnerLock(app.db, account.id, async (tx) => {
      const { passkeys, hasTotp, recoveryCodes } = await resetFactors(tx, account.id);
      const details = { passkeys, totp: hasTotp, recovery_codes: recoveryCodes };
      await note(tx, { action: 'factor.reset', actor: actorOf(request), account, details });
      await endSessions(tx, account.id);
    });
    return answerAt(account.id);
  });

  const linking = {
    config: { ...changing, ...refuses(NotFound, AccountDisabled, ProofNeeded, PasswordLoginOff) },
    schema: {
      operationId: 'createPasswordLink',
      summary: 'Create a link with which the owner of an account sets a new password',
      params: Params,
      body: GivenProof,
      response: { 201: PasswordLink },
    },
  };
  app.post('/:id/password-link', linking, async (request, reply) => {
    assertPasswords(config);
    const account = await otherAccountOf(request);
    const token = newToken();
    if (!(await insertReset(app.db, { id: account.id }, { tokenHash: hashToken(token), lifetimeMs: day }))) {
      throw new AccountDisabled();
    }
    await note(app.db, { action: 'password.link', actor: actorOf(request), account });
    const url = `${linkOrigin(request, config.publicUrl)}/reset#token=${token}`;
    return reply.code(201).send({ url, expires_at: new Date(Date.now() + day).toISOString() });
  });

  await app.register(callsWithoutBody, { accountAt });
};

type More = { accountAt: (id: string) => Promise<AccountRow> };

const callsWithoutBody: FastifyPluginAsyncTypebox<More> = async (app, { accountAt }) => {
  ignoreBodies(app);
  const approving = {
    config: { ...changing, ...refuses(NotFound) },
    schema: {
      operationId: 'approveAccount',
      summary: 'Let an account log in that waits for approval',
      params: Params,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.post('/:id/approve', approving, async (request) => {
    const account = await accountAt(request.params.id);
    if (await approve(app.db, account.id)) {
      await note(app.db, { action: 'account.approved', actor: actorOf(request), account });
    }
    return { account: accountAnswer(await accountAt(account.id)) };
  });

  const ending = {
    config: { ...changing, ...refuses(NotFound) },
    schema: {
      operationId: 'endSessionsOf',
      summary: 'End all sessions of an account',
      params: Params,
      response: { 200: SessionsEnded },
    },
  };
  app.delete('/:id/sessions', ending, async (request) => {
    const account = await accountAt(request.params.id);
    const ended = await endSessions(app.db, account.id);
    await note(app.db, { action: 'sessions.ended', actor: actorOf(request), account, details: { ended } });
    return { ended };
  });
};
