import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { EmailConfirmation, MailLanguage, MailSettings, MailSettingsChange, PendingEmail } from '../../contract.ts';
import type { Transaction } from '../../database/connect.ts';
import { underCallerLock } from '../../database/statements/owner-lock.ts';
import { EmailLinkDead, EmailTaken, EmailTakenMeanwhile, NotFound } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAccount, perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionOnly, withoutLogin } from '../../http/scopes.ts';
import { hashToken } from '../../mail/token.ts';
import { explainField } from '../field-texts.ts';
import type { Account } from '../queries.ts';
import type { EmailChange } from './email-change.ts';
import type { PendingEmail as Pending } from './queries.ts';
import { confirmEmailChange, deleteEmailChange, findEmailChange, readLoginMails, setLoginMails } from './queries.ts';

const hour = 3_600_000;

type Options = {
  /** Undefined if the server sends no mail. */
  emailChange: EmailChange | undefined;
};

const pendingAnswer = ({ email, expiresAt }: Pending) => ({ email, expires_at: expiresAt.toISOString() });

/** Mail settings of an account and its pending email. Every route needs a session. */
export const accountMailRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { emailChange }) => {
  app.addHook('onRequest', app.guard);

  async function settings(account: Account) {
    const [loginMails, pending] = [await readLoginMails(app.db, account.id), await findEmailChange(app.db, account)];
    return {
      available: emailChange !== undefined,
      login_mails: loginMails,
      pending_email: pending ? pendingAnswer(pending) : null,
    };
  }

  const reading = {
    config: sessionOnly,
    schema: { operationId: 'getMailSettings', summary: 'Read the mail settings', response: { 200: MailSettings } },
  };
  app.get('/', reading, ({ account }) => settings(account));

  const changing = {
    schemaErrorFormatter: explainField,
    config: { ...perAccount('mail-settings', 60, hour), ...sessionOnly },
    schema: {
      operationId: 'changeMailSettings',
      summary: 'Change the mail settings',
      body: MailSettingsChange,
      response: { 200: MailSettings },
    },
  };
  app.patch('/', changing, async (request) => {
    const { account, body } = request;
    const change = (tx: Transaction) => setLoginMails(tx, account.id, body.login_mails);
    const wasOn = await underCallerLock(app.db, request, change);
    if (wasOn && !body.login_mails) app.accounts.mailWayIn(request, { kind: 'login-mails-off' });
    return settings(account);
  });

  await app.register(async (plain) => {
    ignoreBodies(plain);
    const scope = plain.withTypeProvider<TypeBoxTypeProvider>();
    const resending = {
      config: { ...perAccount('mail-resend', 60, hour), ...sessionOnly, ...refuses(NotFound) },
      schema: {
        operationId: 'resendConfirmation',
        summary: 'Mail the link that confirms the new email again, or that of an email that was never confirmed',
        querystring: Type.Object({ language: MailLanguage }),
        response: { 202: PendingEmail },
      },
    };
    scope.post('/resend', resending, async ({ account, query: { language = 'en' } }, reply) => {
      const renewed = await emailChange?.resend(account, language);
      if (!renewed) throw new NotFound('No email waits for a confirmation.');
      return reply.code(202).send(pendingAnswer(renewed));
    });

    const cancelling = {
      config: { ...perAccount('mail-cancel', 60, hour), ...sessionOnly },
      schema: {
        operationId: 'cancelEmailChange',
        summary: 'Keep the old email',
        response: { 204: Type.Null() },
      },
    };
    scope.delete('/pending', cancelling, async ({ account }, reply) => {
      await deleteEmailChange(app.db, account.id);
      return reply.code(204).send(null);
    });
  });
};

/** Anyone with the mailed link can open it, logged in or not. */
export const emailConfirmationRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const confirming = {
    schemaErrorFormatter: explainField,
    config: { ...perAddress('email', 60, hour), ...withoutLogin, ...refuses(EmailLinkDead, EmailTakenMeanwhile) },
    schema: {
      operationId: 'confirmEmail',
      summary: 'Confirm an email with the mailed secret',
      description:
        'The first proof of the mailbox ends every way in that was made before: sessions, API tokens, identities, ' +
        'passkeys, codes and collect links. The password stays.',
      body: EmailConfirmation,
      response: { 204: Type.Null() },
    },
  };
  app.post('/email', confirming, async (request, reply) => {
    const confirm = async (tx: Transaction) => {
      const user = await confirmEmailChange(tx, hashToken(request.body.token), config);
      if (!user) throw new EmailLinkDead();
      const email = user.formerEmail === undefined ? 'confirmed' : true;
      await note(tx, { action: 'account.changed', actor: actorOf(request, user), details: { email } });
      return user;
    };
    const user = await app.db.transaction(confirm).catch((error) => {
      throw error instanceof EmailTaken ? new EmailTakenMeanwhile() : error;
    });
    const { formerEmail, isFirst } = user;
    if (isFirst) app.accounts.mailWayIn(request, { kind: 'confirmed' }, user);
    if (formerEmail !== undefined) {
      app.accounts.mailWayIn(request, { kind: 'email', name: user.email }, { ...user, email: formerEmail });
    }
    return reply.code(204).send(null);
  });
};
