import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import pLimit from 'p-limit';
import { Type } from 'typebox';
import type { UserRow } from '../../drizzle/schema.ts';
import { emailKey } from '../account-names.ts';
import { PasswordReset, ResetRequest, SignInOptions } from '../contract.ts';
import type { Transaction } from '../database/connect.ts';
import { ResetLinkDead, ResetUnavailable, serverBusy } from '../errors.ts';
import { explainField } from '../field-texts.ts';
import { perAddress, tooManyRequests } from '../rate-limit/plugin.ts';
import { countAttempt } from '../rate-limit/queries.ts';
import { type Language, resetMail } from './mail-text.ts';
import { failureOf, type Mailer } from './mailer.ts';
import { findReset, insertReset, useReset } from './queries.ts';
import { hashToken, newToken } from './token.ts';

const hour = 3_600_000;
/** How long a link is good for, in milliseconds. */
const lifetime = hour;
/** Mails an hour to one account, asked for by whomever: nobody's mailbox is to be filled. */
const mailsAnHour = 5;
/** Mails that wait for the mail server. */
const longestQueue = 100;
/** Milliseconds that a stop waits for the mails that were promised. */
const patience = 5_000;

type Options = {
  /** Undefined where the server sends no mail. */
  mail: { mailer: Mailer; origin: string } | undefined;
  limited: boolean;
  hashPassword: (password: string) => Promise<string>;
  /** Ends every session, and what links to new passwords there are. */
  changeUser: (tx: Transaction, userId: string, change: Pick<UserRow, 'passwordHash'>) => Promise<unknown>;
};

/** A new password by a link that is mailed to the account's address. */
export const passwordResetRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { mail, limited, hashPassword, changeUser } = options;
  const inTurn = pLimit(2);
  const promised = new Set<Promise<void>>();
  // Whoever stops a server does not wait minutes for a mail server that is silent.
  app.addHook('onClose', async () => {
    await Promise.race([Promise.all(promised), pause(patience, undefined, { ref: false })]);
    inTurn.clearQueue();
  });

  async function sendLink({ mailer, origin }: NonNullable<typeof mail>, email: string, language: Language) {
    const token = newToken();
    const user = await insertReset(app.db, email, { tokenHash: hashToken(token), lifetimeMs: lifetime });
    if (!user) return;
    // Behind the #, which no browser tells a server: the token stands in no log of a proxy.
    const link = `${origin}/reset#token=${token}`;
    try {
      await mailer.send(user.email, resetMail(language, { username: user.username, link, origin }));
      app.log.info('a link to a new password was mailed');
    } catch (error) {
      app.log.error(failureOf(error), 'a link to a new password could not be mailed');
    }
  }

  function send(...asked: Parameters<typeof sendLink>): void {
    const sending = inTurn(sendLink, ...asked)
      .catch((err) => app.log.error({ err }, 'a link to a new password could not be made'))
      .finally(() => promised.delete(sending));
    promised.add(sending);
  }

  const config = { schema: { response: { 200: SignInOptions } } };
  app.get('/config', config, async () => ({ password_reset: mail !== undefined }));

  const forgetting = {
    schemaErrorFormatter: explainField,
    config: perAddress('forgot', 20, hour),
    schema: { body: ResetRequest, response: { 202: Type.Object({}) } },
  };
  app.post('/forgot', forgetting, async ({ body: { email, language = 'en' } }, reply) => {
    if (!mail) throw new ResetUnavailable();
    if (inTurn.pendingCount >= longestQueue) throw serverBusy(30);
    if (limited) {
      // Known or not: a refusal tells nothing of who is registered.
      const key = `forgot:${hashToken(emailKey(email.slice(0, 320)))}`;
      const { count, msLeft } = await countAttempt(app.db, key, hour);
      if (count > mailsAnHour) throw tooManyRequests(msLeft);
    }
    // Behind the answer, which takes the same time whether there is such an account or not.
    send(mail, email, language);
    return reply.code(202).send({});
  });

  const resetting = {
    schemaErrorFormatter: explainField,
    config: perAddress('reset', 60, hour),
    schema: { body: PasswordReset, response: { 204: Type.Null() } },
  };
  app.post('/reset', resetting, async ({ body: { token, password } }, reply) => {
    const tokenHash = hashToken(token);
    // Before a password is hashed: a guess costs little.
    const userId = await findReset(app.db, tokenHash);
    if (userId === undefined) throw new ResetLinkDead();
    const passwordHash = await hashPassword(password);
    const used = await useReset(app.db, { userId, tokenHash }, (tx) => changeUser(tx, userId, { passwordHash }));
    if (!used) throw new ResetLinkDead();
    return reply.code(204).send(null);
  });
};
