/** Accounts, for administrators. Every change is in the audit log. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Actor, actorOf, note } from '../../audit/note.ts';
import { endSessions, setDisabled } from '../../auth/queries.ts';
import { approve, setQuota, setRole } from '../../auth/roles/queries.ts';
import type { Config } from '../../config/config.ts';
import {
  AccountDeletion,
  AdminAccountAnswer,
  AdminAccountChange,
  AdminAccountPage,
  SessionsEnded,
} from '../../contract.ts';
import type { Transaction } from '../../database/connect.ts';
import { keepingAnAdmin } from '../../database/statements/last-admin.ts';
import { InvalidRequest, LastAdmin, NotFound, ProofNeeded, WrongName } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { readPage } from '../../http/page-number.ts';
import { forAdmins } from '../../http/scopes.ts';
import { differs } from '../../lib/differs.ts';
import { accountAnswer } from './account-answer.ts';
import { type AccountRow, listAccounts } from './account-queries.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { AccountParams, accountAt, changing } from './requests.ts';

const pageSize = 50;

const Query = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  state: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('pending'), Type.Literal('disabled'), Type.Literal('admin')]),
  ),
  page: Type.Optional(Type.Unknown()),
});

type Edit = { account: AccountRow; actor: Actor; change: AdminAccountChange };

/** All or nothing, with an entry in the audit log for each kind of change. @throws LastAdmin */
async function changeAccount(tx: Transaction, { account, actor, change }: Edit): Promise<void> {
  const { role, quota_images: quotaImages, quota_bytes: quotaBytes, disabled, silence_links: links = false } = change;
  const entry = { actor, account };
  if (role !== undefined && role !== account.role) {
    await setRole(tx, account.id, role);
    await note(tx, { ...entry, action: 'account.role', details: { role } });
  }
  if (quotaImages !== undefined || quotaBytes !== undefined) {
    const quota = {
      ...(quotaImages === undefined ? {} : { quotaImages }),
      ...(quotaBytes === undefined ? {} : { quotaBytes }),
    };
    await setQuota(tx, account.id, quota);
    if (differs(account, quota)) await note(tx, { ...entry, action: 'account.quota', details: quota });
  }
  const isOpen = account.disabledAt === null && account.linksSilencedAt === null;
  if (disabled === true || (disabled === false && !isOpen)) {
    await setDisabled(tx, account.id, disabled, links);
    const action = disabled ? 'account.disabled' : 'account.enabled';
    const isChange = account.disabledAt === null || (links && account.linksSilencedAt === null) || !disabled;
    if (isChange) await note(tx, { ...entry, action, ...(disabled && { details: { links } }) });
  }
}

/** An open session is not enough for what shuts people out, and for a new administrator. */
const needsProof = ({ role }: AccountRow, change: AdminAccountChange): boolean =>
  change.disabled === true || (change.role !== undefined && change.role !== role);

export const accountsRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const answerAt = async (id: string) => ({ account: accountAnswer(await accountAt(app.db, id)) });

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
      params: AccountParams,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.get('/:id', reading, ({ params }) => answerAt(params.id));

  const editing = {
    config: { ...changing, ...refuses(NotFound, LastAdmin, ProofNeeded) },
    schema: {
      operationId: 'changeAccountOf',
      summary: 'Change the role, the quota or the state of an account',
      params: AccountParams,
      body: AdminAccountChange,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.patch('/:id', editing, async (request) => {
    const account = await accountAt(app.db, request.params.id);
    const { body } = request;
    if (Object.keys(body).length === 0) throw new InvalidRequest('Nothing was given to change.');
    if (body.silence_links !== undefined && body.disabled !== true)
      throw new InvalidRequest(
        'The field "silence_links" is only for accounts that are disabled: send "disabled" too.',
      );
    if (needsProof(account, body)) await app.accounts.proofs.assert(request, body.proof ?? '');
    const actor = actorOf(request);
    await keepingAnAdmin(() => app.db.transaction((tx) => changeAccount(tx, { account, actor, change: body })));
    return answerAt(account.id);
  });

  const deleting = {
    config: { ...changing, ...refuses(NotFound, LastAdmin, WrongName, ProofNeeded) },
    schema: {
      operationId: 'deleteAccountOf',
      summary: 'Delete an account and all of its images',
      params: AccountParams,
      body: AccountDeletion,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', deleting, async (request, reply) => {
    const account = await accountAt(app.db, request.params.id);
    const { username, proof = '' } = request.body;
    if (username !== account.username) throw new WrongName();
    await app.accounts.proofs.assert(request, proof);
    const details = { images: account.imageCount, bytes: account.imageBytes };
    await app.images.deleteAccount({ id: account.id }, (tx) =>
      note(tx, { action: 'account.deleted', actor: actorOf(request), account, details }),
    );
    // Not awaited: a large account takes a while, and sweeps retry failures.
    void app.sweeps.purge();
    return reply.code(204).send(null);
  });

  await app.register(recoveryRoutes, { config });
  await app.register(callsWithoutBody);
};

const callsWithoutBody: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  const approving = {
    config: { ...changing, ...refuses(NotFound) },
    schema: {
      operationId: 'approveAccount',
      summary: 'Let an account log in that waits for approval',
      params: AccountParams,
      response: { 200: AdminAccountAnswer },
    },
  };
  app.post('/:id/approve', approving, async (request) => {
    const account = await accountAt(app.db, request.params.id);
    await app.db.transaction(async (tx) => {
      if (!(await approve(tx, account.id))) return;
      await note(tx, { action: 'account.approved', actor: actorOf(request), account });
    });
    return { account: accountAnswer(await accountAt(app.db, account.id)) };
  });

  const ending = {
    config: { ...changing, ...refuses(NotFound) },
    schema: {
      operationId: 'endSessionsOf',
      summary: 'End all sessions of an account',
      params: AccountParams,
      response: { 200: SessionsEnded },
    },
  };
  app.delete('/:id/sessions', ending, async (request) => {
    const account = await accountAt(app.db, request.params.id);
    const ended = await app.db.transaction(async (tx) => {
      const count = await endSessions(tx, account.id);
      const details = { ended: count };
      if (count > 0) await note(tx, { action: 'sessions.ended', actor: actorOf(request), account, details });
      return count;
    });
    return { ended };
  });
};
