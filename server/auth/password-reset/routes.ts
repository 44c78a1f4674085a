import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { EmailConfirmation, PasswordReset, ResetOffer, ResetRequest } from '../../contract.ts';
import {
  CommonPassword,
  PasswordIsName,
  PasswordLoginOff,
  ResetLinkDead,
  ResetUnavailable,
  serverBusy,
} from '../../errors.ts';
import { clientKey } from '../../http/limits/address.ts';
import { perAddress, tooManyRequests } from '../../http/limits/rate-limit.ts';
import { countAttempt } from '../../http/limits/rate-limit-queries.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { withoutLogin } from '../../http/scopes.ts';
import type { Language } from '../../mail/letter.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { hashToken, newToken } from '../../mail/token.ts';
import { emailKey } from '../account-names.ts';
import { explainField } from '../field-texts.ts';
import { assertPasswords } from '../password/assert-passwords.ts';
import { hashNewPassword } from '../password/password-rules.ts';
import { changeUser, endTokens } from '../queries.ts';
import { confirmMailbox, listWaysIn } from '../ways-in-queries.ts';
import { resetMail } from './mail-text.ts';
import { findReset, insertReset, maxLinks, useReset } from './queries.ts';

const hour = 3_600_000;
/** Milliseconds that a link is valid. */
const lifetime = hour;
/** Mails an hour to one account, no matter who requests them, so that nobody's mailbox is flooded. */
const mailsAnHour = maxLinks;

type Options = {
  config: Pick<Config, 'passwordLogin'>;
  /** Undefined if the server sends no mail. */
  outbox: Outbox | undefined;
  limited: boolean;
};

export const passwordResetRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, outbox, limited } = options;

  const sendLink = ({ origin, send }: Outbox, email: string, language: Language, client: string) => {
    const write = async () => {
      const token = newToken();
      const user = await insertReset(app.db, { email }, { tokenHash: hashToken(token), lifetimeMs: lifetime });
      if (!user) return undefined;
      // In the fragment, which browsers do not send, so that no proxy logs the token.
      const link = `${origin}/reset#token=${token}`;
      return { to: user.email, mail: resetMail(language, { username: user.username, link, origin }) };
    };
    send('a link to a new password', write, client);
  };

  const forgetting = {
    schemaErrorFormatter: explainField,
    config: { ...perAddress('forgot', 20, hour), ...withoutLogin, ...refuses(PasswordLoginOff, ResetUnavailable) },
    schema: {
      operationId: 'requestPasswordReset',
      summary: 'Mail a link to a new password',
      body: ResetRequest,
      response: { 202: Type.Object({}) },
    },
  };
  app.post('/forgot', forgetting, async ({ body: { email, language = 'en' }, ip }, reply) => {
    assertPasswords(config);
    if (!outbox) throw new ResetUnavailable();
    const client = clientKey(ip);
    if (outbox.isFull(client)) throw serverBusy(30);
    if (limited) {
      // Counted for unknown emails too: a refusal must not show who is registered.
      const key = `forgot:${hashToken(emailKey(email.slice(0, 320)))}`;
      const { count, msLeft } = await countAttempt(app.db, key, hour);
      if (count > mailsAnHour) throw tooManyRequests(msLeft);
    }
    // After the response, which takes equally long whether or not the account exists.
    sendLink(outbox, email, language, client);
    return reply.code(202).send({});
  });

  const looking = {
    schemaErrorFormatter: explainField,
    config: { ...perAddress('reset-offer', 240, hour), ...withoutLogin, ...refuses(PasswordLoginOff, ResetLinkDead) },
    schema: {
      operationId: 'readReset',
      summary: 'Read what the link to a new password changes',
      body: EmailConfirmation,
      response: { 200: ResetOffer },
    },
  };
  app.post('/reset/offer', looking, async ({ body: { token } }) => {
    assertPasswords(config);
    const reset = await findReset(app.db, hashToken(token));
    if (!reset) throw new ResetLinkDead();
    return { confirms: reset.confirms, ways_in: await listWaysIn(app.db, reset.id) };
  });

  const resetting = {
    schemaErrorFormatter: explainField,
    config: {
      ...perAddress('reset', 60, hour),
      ...withoutLogin,
      ...refuses(PasswordLoginOff, ResetLinkDead, CommonPassword, PasswordIsName),
    },
    schema: {
      operationId: 'resetPassword',
      summary: 'Set a new password with the mailed secret',
      description:
        'Ends all sessions, and API tokens unless `end_tokens` is false. The first proof of the mailbox ends every way in ' +
        'that was made before: also API tokens, identities, passkeys, codes and collect links.',
      body: PasswordReset,
      response: { 204: Type.Null() },
    },
  };
  app.post('/reset', resetting, async (request, reply) => {
    const { token, password, end_tokens } = request.body;
    assertPasswords(config);
    const tokenHash = hashToken(token);
    // Checked before the password is hashed, so a guess costs little.
    const user = await findReset(app.db, tokenHash);
    if (!user) throw new ResetLinkDead();
    const userId = user.id;
    const passwordHash = await hashNewPassword(password, user, request.ip);
    const used = await useReset(app.db, { userId, tokenHash }, async (tx, { confirms }) => {
      await changeUser(tx, userId, { passwordHash });
      if (confirms) await confirmMailbox(tx, userId);
      if (end_tokens !== false) await endTokens(tx, userId);
      await note(tx, { action: 'password.changed', actor: actorOf(request, user), details: { by: 'link' } });
    });
    if (!used) throw new ResetLinkDead();
    app.accounts.mailWayIn(request, { kind: 'password' }, user);
    return reply.code(204).send(null);
  });
};
