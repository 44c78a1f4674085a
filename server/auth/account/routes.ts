import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import {
  AccountChanges,
  AccountDetails,
  ChangedUser,
  PasswordChange,
  PasswordChanged,
  PasswordProof,
} from '../../contract.ts';
import type { Transaction } from '../../database/connect.ts';
import { assertLive } from '../../database/statements/owner-lock.ts';
import {
  CommonPassword,
  EmailTaken,
  LastAdmin,
  PasswordIsName,
  PasswordLoginOff,
  PasswordNeeded,
  ProofNeeded,
  Unauthorized,
  UsernameTaken,
  WrongPassword,
} from '../../errors.ts';
import { perAccount, perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionOnly, sessionWithoutFactor } from '../../http/scopes.ts';
import type { EmailChange } from '../account-mail/email-change.ts';
import { emailKey } from '../account-names.ts';
import type { Credentials } from '../credentials.ts';
import { explainField } from '../field-texts.ts';
import { assertPasswords } from '../password/assert-passwords.ts';
import { hashNewPassword } from '../password/password-rules.ts';
import { changePassword, renewSession } from '../queries.ts';
import type { Proofs } from '../second-factor/proof.ts';
import { usesPassword } from '../second-factor/queries.ts';
import { clearCookie } from '../session/cookie.ts';
import { giveTokens, newSession } from '../session/new-session.ts';
import { userAnswer } from '../user-answer.ts';
import { listWaysIn } from '../ways-in-queries.ts';
import { changeNames, readProofs } from './queries.ts';
import { sessionRoutes } from './session-routes.ts';

const minute = 60_000;
const hour = 60 * minute;
type Options = {
  config: Config;
  credentials: Credentials;
  proofs: Proofs;
  /** Undefined where the server sends no mail: then a changed email takes effect at once. */
  emailChange: EmailChange | undefined;
};

/** What the page needs to know beside the user. */
const detailsRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config, emailChange }) => {
  const reading = {
    config: sessionWithoutFactor,
    schema: {
      operationId: 'getAccountDetails',
      summary: 'Read the role of the account, and how it logs in',
      response: { 200: AccountDetails },
    },
  };
  app.get('/', reading, async ({ account }) => {
    const { emailConfirmedAt, hasPassword } = await readProofs(app.db, account.id);
    // By a password alone anyone may have registered the email.
    const confirmsByPassword = usesPassword(config, { hasPassword });
    return {
      user: userAnswer(account),
      role: account.role,
      has_password: hasPassword,
      password_proof: confirmsByPassword,
      email_confirmed_at: emailConfirmedAt?.toISOString() ?? null,
      asks_confirmation: emailChange !== undefined && confirmsByPassword && emailConfirmedAt === null,
    };
  });
};

const changeRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config, proofs, emailChange }) => {
  const changing = {
    schemaErrorFormatter: explainField,
    // The route shows which names are taken.
    config: {
      ...perAccount('profile', 60, hour),
      ...sessionOnly,
      ...refuses(PasswordNeeded, WrongPassword, PasswordLoginOff, ProofNeeded, UsernameTaken, EmailTaken),
    },
    schema: {
      operationId: 'changeAccount',
      summary: 'Change the username or the email',
      body: AccountChanges,
      response: { 200: ChangedUser },
    },
  };
  app.patch('/', changing, async (request, reply) => {
    const { account, body } = request;
    const { password, proof, language = 'en' } = body;
    const username = body.username === account.username ? undefined : body.username;
    const email = body.email === account.email ? undefined : body.email;
    if (email !== undefined && password === undefined && proof === undefined) throw new PasswordNeeded();
    const confirmed = email === undefined ? undefined : await proofs.confirm(request, { password, proof });
    if (username === undefined && email === undefined) return { user: userAnswer(account) };
    // Another spelling of the same email is the same mailbox, which needs no confirmation.
    const isOther = email !== undefined && emailKey(email) !== emailKey(account.email);
    const isPending = confirmed && isOther && emailChange !== undefined;
    const change = async (tx: Transaction) => {
      const names = { username, ...(isPending ? {} : { email }) };
      const row = await changeNames(tx, account.id, names, confirmed);
      if (!row) throw confirmed ? new WrongPassword() : new Unauthorized();
      await assertLive(tx, request);
      const details = { username: username !== undefined, email: isPending ? 'unconfirmed' : email !== undefined };
      await note(tx, { action: 'account.changed', actor: actorOf(request), details });
      return row;
    };
    const user = isPending
      ? await emailChange.request(confirmed, email, language, change)
      : await app.db.transaction(change);
    // Confirming with the password replaces the tokens, so copies of the old ones are dead.
    const session =
      confirmed &&
      (await renewSession(app.db, confirmed, { sessionId: request.sessionId, start: newSession(request) }));
    return {
      user: userAnswer(user),
      ...(session && { access_token: giveTokens(app, { request, reply, config }, session) }),
      ...(isPending && { pending_email: email }),
    };
  });
};

export const accountRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, credentials, proofs, emailChange } = options;
  app.addHook('onRequest', app.guard);
  // The same limit as logins: a stolen session does not allow faster guesses.
  const asking = { schemaErrorFormatter: explainField };
  const guesses = { ...perAddress('login', 60, minute), ...sessionOnly };

  const newPassword = {
    ...asking,
    config: { ...guesses, ...refuses(WrongPassword, CommonPassword, PasswordIsName, PasswordLoginOff) },
    schema: {
      operationId: 'changePassword',
      summary: 'Change the password',
      body: PasswordChange,
      response: { 200: PasswordChanged },
    },
  };
  app.post('/password', newPassword, async (request, reply) => {
    assertPasswords(config);
    const { body } = request;
    const user = await credentials.confirm(request, body.current_password);
    const change = {
      passwordHash: await hashNewPassword(body.new_password, user),
      sessionId: request.sessionId,
      start: newSession(request),
      endsTokens: body.end_tokens !== false,
    };
    const { ended, endedTokens, session } = await app.db.transaction(async (tx) => {
      const changed = await changePassword(tx, user, change);
      if (!changed) throw new WrongPassword();
      await note(tx, { action: 'password.changed', actor: actorOf(request), details: { ended: changed.ended } });
      return changed;
    });
    app.accounts.mailWayIn(request, { kind: 'password' });
    const left = await listWaysIn(app.db, user.id);
    const access_token = giveTokens(app, { request, reply, config }, session);
    return { ended, ended_tokens: endedTokens, left, access_token };
  });

  const deleting = {
    ...asking,
    config: { ...guesses, ...refuses(WrongPassword, PasswordLoginOff, ProofNeeded, LastAdmin) },
    schema: {
      operationId: 'deleteAccount',
      summary: 'Delete the account and all of its images',
      body: PasswordProof,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/', deleting, async (request, reply) => {
    const user = await proofs.confirm(request, request.body);
    const entry = { action: 'account.deleted', actor: actorOf(request) } as const;
    if (!(await app.images.deleteAccount(user, (tx) => note(tx, entry)))) throw new WrongPassword();
    // Not awaited: a large account takes a while, and sweeps retry failures.
    void app.sweeps.purge();
    clearCookie(request, reply, config.publicUrl);
    return reply.code(204).send(null);
  });

  const parts = { config, credentials, proofs, emailChange };
  await app.register(detailsRoute, parts);
  await app.register(changeRoute, parts);
  await app.register(sessionRoutes); // GET and DELETE /sessions, DELETE /sessions/:id
};
