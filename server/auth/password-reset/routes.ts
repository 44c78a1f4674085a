import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PasswordReset, ResetRequest, SignInOptions } from '../../contract.ts';
import { ResetLinkDead, ResetUnavailable, serverBusy } from '../../errors.ts';
import { perAddress, tooManyRequests } from '../../http/limits/rate-limit.ts';
import { countAttempt } from '../../http/limits/rate-limit-queries.ts';
import type { Language } from '../../mail/letter.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { hashToken, newToken } from '../../mail/token.ts';
import { emailKey } from '../account-names.ts';
import { explainField } from '../field-texts.ts';
import { hashNewPassword } from '../password/password-rules.ts';
import { changeUser } from '../queries.ts';
import { resetMail } from './mail-text.ts';
import { findReset, insertReset, useReset } from './queries.ts';

const hour = 3_600_000;
/** How long a link is good for, in milliseconds. */
const lifetime = hour;
/** Mails an hour to one account, asked for by whomever: nobody's mailbox is to be filled. */
const mailsAnHour = 5;

type Options = {
  /** Undefined where the server sends no mail. */
  outbox: Outbox | undefined;
  /** As a link; undefined where the operator names nobody. */
  abuseContact: string | undefined;
  limited: boolean;
};

/** A new password by a link that is mailed to the account's address. */
export const passwordResetRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { outbox, abuseContact, limited } = options;

  const sendLink = ({ origin, send }: Outbox, email: string, language: Language) =>
    send('a link to a new password', async () => {
      const token = newToken();
      const user = await insertReset(app.db, email, { tokenHash: hashToken(token), lifetimeMs: lifetime });
      if (!user) return undefined;
      // Behind the #, which browsers do not send: no log of a proxy contains the token.
      const link = `${origin}/reset#token=${token}`;
      return { to: user.email, mail: resetMail(language, { username: user.username, link, origin }) };
    });

  const config = { schema: { response: { 200: SignInOptions } } };
  app.get('/config', config, async () => ({
    password_reset: outbox !== undefined,
    abuse_contact: abuseContact ?? null,
  }));

  const forgetting = {
    schemaErrorFormatter: explainField,
    config: perAddress('forgot', 20, hour),
    schema: { body: ResetRequest, response: { 202: Type.Object({}) } },
  };
  app.post('/forgot', forgetting, async ({ body: { email, language = 'en' } }, reply) => {
    if (!outbox) throw new ResetUnavailable();
    if (outbox.isFull()) throw serverBusy(30);
    if (limited) {
      // Known or not: a refusal tells nothing of who is registered.
      const key = `forgot:${hashToken(emailKey(email.slice(0, 320)))}`;
      const { count, msLeft } = await countAttempt(app.db, key, hour);
      if (count > mailsAnHour) throw tooManyRequests(msLeft);
    }
    // Behind the answer, which takes the same time whether there is such an account or not.
    sendLink(outbox, email, language);
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
    const user = await findReset(app.db, tokenHash);
    if (!user) throw new ResetLinkDead();
    const userId = user.id;
    const passwordHash = await hashNewPassword(password, user);
    const used = await useReset(app.db, { userId, tokenHash }, (tx) => changeUser(tx, userId, { passwordHash }));
    if (!used) throw new ResetLinkDead();
    return reply.code(204).send(null);
  });
};
