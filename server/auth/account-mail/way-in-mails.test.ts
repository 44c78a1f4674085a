import t from 'tap';
import { proofOf, signIn, type TestAccount } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';
import { readMail, startMailServer } from '../../testing/mail/mail-server.ts';
import { mailsSent } from '../../testing/mail/mails-sent.ts';
import { secretOf } from '../../testing/mail/secret-of.ts';
import { addPasskey, addTotp, callsOf } from '../../testing/second-factor.ts';
import { startFalseProvider } from '../provider/testing/false-provider.ts';
import { publicUrl, returnTo, settingsFor, startLink } from '../provider/testing/provider-login.ts';
import { confirmationMail, loginMail, noticeMail } from './mail-text.ts';

const post = await startMailServer(t);
const provider = await startFalseProvider(t);
const app = await buildTestApp(t, { smtpUrl: post.url, mailFrom: 'gallery@example.com', ...settingsFor(provider) });

/** @returns the plain texts of all mails to the account, once all of them are sent */
async function textsTo({ email }: Pick<TestAccount, 'email'>, server = app): Promise<string[]> {
  await mailsSent(server, post);
  return post.mailsTo(email).map((mail) => readMail(mail).plain);
}

t.test('each change of the ways in is mailed, also if login mails are turned off', async (t) => {
  const account = await signIn(app);
  const call = callsOf(app, account);
  const changes: [sentence: RegExp, change: () => Promise<unknown>][] = [
    [/logins from new devices were turned off/, () => call('PATCH', '/mail', { login_mails: false })],
    [/API token \u2068a program\u2069 was created/, () => createApiToken(app, account, ['images:upload'])],
    [
      /API token \u2068a program\u2069 was ended/,
      async () => call('DELETE', `/tokens/${(await call('GET', '/tokens')).json().tokens[0].id}`),
    ],
    [/authenticator app was set up/, () => addTotp(app, account)],
    [
      /recovery codes were replaced/,
      async () => call('POST', '/factors/recovery-codes', { proof: await proofOf(app, account.bearer) }),
    ],
    [
      /authenticator app was removed/,
      async () => call('DELETE', '/factors/totp', { proof: await proofOf(app, account.bearer) }),
    ],
    [
      /identity \u2068amira@example.com\u2069 was linked/,
      async () => returnTo(app, provider, await startLink(app, account.bearer)),
    ],
    [
      /identity \u2068amira@example.com\u2069 was unlinked/,
      async () => {
        const headers = account.bearer;
        const list = await app.inject({ url: '/api/auth/provider/identities', headers });
        const url = `/api/auth/provider/identities/${list.json().identities[0].id}`;
        return app.inject({ method: 'DELETE', url, headers, payload: { proof: await proofOf(app, headers) } });
      },
    ],
    [
      /password was changed/,
      () => call('POST', '/password', { current_password: account.password, new_password: account.password }),
    ],
  ];
  for (const [index, [sentence, change]] of changes.entries()) {
    await change();
    const texts = await textsTo(account);
    t.equal(texts.length, index + 1, `${sentence}`);
    t.match(texts.at(-1), sentence);
    t.match(texts.at(-1), `${publicUrl}/forgot`);
  }
});

t.test('a passkey is mailed when it is added and when it is removed', async (t) => {
  const server = await buildTestApp(t, {
    smtpUrl: post.url,
    mailFrom: 'gallery@example.com',
    publicUrl: 'http://localhost',
  });
  const account = await signIn(server);
  const { id, proof } = await addPasskey(server, account);
  t.match(await textsTo(account, server), [/passkey \u2068.+\u2069 was added/]);
  await callsOf(server, account)('DELETE', `/passkeys/${id}`, { proof });
  t.match((await textsTo(account, server)).at(-1), /passkey \u2068.+\u2069 was removed/);
});

t.test('a reset is mailed, and another email to the former one, in the language of the call', async (t) => {
  const account = await signIn(app);
  await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email: account.email } });
  const [link] = await post.received(1, account.email);
  const payload = { token: secretOf(link), password: 'another long password' };
  const headers = { 'accept-language': 'ar-EG,ar;q=0.9' };
  await app.inject({ method: 'POST', url: '/api/auth/reset', payload, headers });
  t.match((await textsTo(account)).at(-1), /غُيّرت كلمة المرور/);

  const moving = await signIn(app);
  const other = `new-${moving.email}`;
  await callsOf(app, moving)('PATCH', '', { email: other, password: moving.password });
  const [confirmation] = await post.received(1, other);
  await app.inject({ method: 'POST', url: '/api/auth/email', payload: { token: secretOf(confirmation) } });
  t.match((await textsTo(moving)).at(-1), new RegExp(`email was changed to \u2068${other}`));
  t.match((await textsTo({ email: other })).at(-1), /confirmed for the first time/);
});

t.test('an account gets at most twenty mails an hour of a kind, and the last one announces that', async (t) => {
  const account = await signIn(app);
  const payload = { name: 'uploads', scopes: ['images:upload'] };
  for (let count = 0; count < 22; count += 1) await callsOf(app, account)('POST', '/tokens', payload);
  const texts = await textsTo(account);
  t.equal(texts.length, 20);
  t.equal(texts.filter((text) => /Further changes of this kind within this hour are not mailed/.test(text)).length, 1);

  await createApiToken(app, account, ['images:read']);
  t.match((await textsTo(account)).slice(20), [/API token .* was created/], 'a token that needed a proof is mailed');
  const renewed = { current_password: account.password, new_password: account.password };
  await callsOf(app, account)('POST', '/password', renewed);
  t.match((await textsTo(account)).at(-1), /password was changed/);
});

t.test('without passwords, no mail leads to a new one', async (t) => {
  for (const language of ['en', 'ar'] as const) {
    const facts = { username: 'amira', origin: publicUrl, passwordLogin: 'off' } as const;
    const link = `${publicUrl}/email#token=secret`;
    for (const mail of [
      noticeMail(language, { ...facts, email: 'new@example.com' }),
      loginMail(language, { ...facts, agent: { browser: null, system: null }, time: new Date() }),
      confirmationMail(language, { ...facts, link, isFirst: false, isNew: false }),
    ]) {
      t.notMatch(JSON.stringify(mail), /forgot|new password|كلمة مرور جديدة/);
    }
  }
});
