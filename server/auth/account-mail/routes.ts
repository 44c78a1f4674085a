import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EmailConfirmation, MailLanguage, MailSettings, MailSettingsChange, PendingEmail } from '../../contract.ts';
import { EmailLinkDead, EmailTaken, EmailTakenMeanwhile, NotFound } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAccount, perAddress } from '../../http/limits/rate-limit.ts';
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

  async function settings({ id }: Account) {
    const [loginMails, pending] = [await readLoginMails(app.db, id), await findEmailChange(app.db, id)];
    return {
      available: emailChange !== undefined,
      login_mails: loginMails,
      pending_email: pending ? pendingAnswer(pending) : null,
    };
  }

  app.get('/', { schema: { response: { 200: MailSettings } } }, ({ account }) => settings(account));

  const changing = {
    schemaErrorFormatter: explainField,
    config: perAccount('mail-settings', 60, hour),
    schema: { body: MailSettingsChange, response: { 200: MailSettings } },
  };
  app.patch('/', changing, async ({ account, body }) => {
    await setLoginMails(app.db, account.id, body.login_mails);
    return settings(account);
  });

  await app.register(async (plain) => {
    ignoreBodies(plain);
    const scope = plain.withTypeProvider<TypeBoxTypeProvider>();
    const resending = {
      config: perAccount('mail-resend', 60, hour),
      schema: { querystring: Type.Object({ language: MailLanguage }), response: { 202: PendingEmail } },
    };
    scope.post('/resend', resending, async ({ account, query: { language = 'en' } }, reply) => {
      const renewed = await emailChange?.resend(account, language);
      if (!renewed) throw new NotFound('No email waits for a confirmation.');
      return reply.code(202).send(pendingAnswer(renewed));
    });

    const cancelling = { config: perAccount('mail-cancel', 60, hour), schema: { response: { 204: Type.Null() } } };
    scope.delete('/pending', cancelling, async ({ account }, reply) => {
      await deleteEmailChange(app.db, account.id);
      return reply.code(204).send(null);
    });
  });
};

/** Anyone with the mailed link can open it, logged in or not. */
export const emailConfirmationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const confirming = {
    schemaErrorFormatter: explainField,
    config: perAddress('email', 60, hour),
    schema: { body: EmailConfirmation, response: { 204: Type.Null() } },
  };
  app.post('/email', confirming, async ({ body: { token } }, reply) => {
    try {
      if (!(await confirmEmailChange(app.db, hashToken(token)))) throw new EmailLinkDead();
    } catch (error) {
      throw error instanceof EmailTaken ? new EmailTakenMeanwhile() : error;
    }
    return reply.code(204).send(null);
  });
};
