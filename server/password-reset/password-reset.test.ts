import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { hashPassword } from '../auth/passwords.ts';
import { setDisabled, setPassword } from '../auth/queries.ts';
import { logIn, signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, type TestOptions } from '../testing/app.ts';
import { type Mail, readMail, startMailServer } from '../testing/mail-server.ts';

const publicUrl = 'https://img.example.com';
const mailFrom = 'Gallery <gallery@example.com>';
const evil = { host: 'evil.example', origin: 'https://evil.example' };

async function start(t: Test, options: TestOptions = {}, server: Parameters<typeof startMailServer>[1] = {}) {
  const post = await startMailServer(t, server);
  const app = await buildTestApp(t, { smtpUrl: post.url, mailFrom, publicUrl, ...options });
  return { app, post };
}

const forgot = (app: FastifyInstance, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/forgot', payload, headers });

const reset = (app: FastifyInstance, token: string, password = 'a new password') =>
  app.inject({ method: 'POST', url: '/api/auth/reset', payload: { token, password } });

const me = async (app: FastifyInstance, { bearer }: TestAccount) =>
  (await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode;

const linkOf = (mail: Mail | undefined): string =>
  (mail &&
    /https:\S+/.exec(
      readMail(mail)
        .plain.split('\n')
        .find((line) => line.includes('/reset')) ?? '',
    )?.[0]) ??
  '';
const tokenOf = (mail: Mail | undefined): string => linkOf(mail).split('#token=')[1] ?? '';

t.test('a link is mailed to the account, sets a new password once, and ends every session', async (t) => {
  const { app, post } = await start(t, {}, { login: { user: 'mailer@example.com', pass: 'p@ss:word/' } });
  const account = await signIn(app);
  const other = await logIn(app, account);
  const answer = await forgot(app, { email: account.email.toUpperCase() }, evil);
  t.equal(answer.statusCode, 202);
  t.same(answer.json(), {}, 'which tells nothing');
  const [mail] = await post.received(1);
  t.match(mail, { from: 'gallery@example.com', to: [account.email] });
  t.match(linkOf(mail), /^https:\/\/img\.example\.com\/reset#token=[\w-]{43}$/, 'no host that a request names');
  t.notMatch(mail?.source, 'evil');
  t.equal(await me(app, account), 200, 'asking changes nothing');
  await t.resolves(logIn(app, account));

  const [row] = await app.db.execute('select * from password_resets');
  t.notMatch(JSON.stringify(row), tokenOf(mail), 'the database does not hold the token');
  t.equal((await reset(app, tokenOf(mail))).statusCode, 204);
  for (const session of [account, other]) t.equal(await me(app, session), 401);
  await t.rejects(logIn(app, account));
  await t.resolves(logIn(app, { ...account, password: 'a new password' }));
  const again = await reset(app, tokenOf(mail), 'another password');
  t.equal(again.statusCode, 400);
  t.equal(again.json().code, 'RESET_LINK_DEAD');
});

t.test('the mail says in the language asked for who it is for, as text and as HTML', async (t) => {
  const { app, post } = await start(t);
  const account = await signIn(app);
  for (const language of [undefined, 'ar'] as const) {
    await forgot(app, { email: account.email, ...(language ? { language } : {}) });
  }
  const [english, arabic] = (await post.received(2)).sort(
    (a, b) => readMail(a).html.indexOf('lang="ar"') - readMail(b).html.indexOf('lang="ar"'),
  );
  const username = account.email.split('@')[0] ?? '';
  for (const [mail, words, mark] of [
    [english, /Set a new password/, '<html lang="en" dir="ltr">'],
    [arabic, /كلمة مرور جديدة/, '<html lang="ar" dir="rtl">'],
  ] as const) {
    const { head, plain, html } = readMail(mail as Mail);
    t.match(plain, words);
    t.match(html, words);
    t.ok(html.includes(mark));
    for (const text of [plain, html]) t.ok(text.includes(username) && text.includes(linkOf(mail)));
    t.match(head, /^From: Gallery <gallery@example.com>\r$/m);
    t.match(head, /^Auto-Submitted: auto-generated\r$/im);
  }
  t.equal((await forgot(app, { email: account.email, language: 'xx' })).statusCode, 400);
});

t.test('an unknown email gets the same answer, and no mail', async (t) => {
  const { app, post } = await start(t);
  const account = await signIn(app);
  const known = await forgot(app, { email: account.email });
  for (const email of ['nobody@example.com', 'no address', '', 'nul\u0000@example.com', 'x'.repeat(10_000)]) {
    const unknown = await forgot(app, { email });
    t.equal(unknown.statusCode, known.statusCode);
    t.equal(unknown.body, known.body);
    t.same(Object.keys(unknown.headers).sort(), Object.keys(known.headers).sort());
  }
  await app.close();
  t.equal((await post.received(1)).length, 1, 'when all is sent');
});

t.test('the answer does not wait for the mail server, nor does a stop wait for mails in its queue', async (t) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const post = await startMailServer(t, { takes: () => released });
  const app = await buildTestApp(t, { smtpUrl: post.url, mailFrom, publicUrl });
  const accounts = [await signIn(app), await signIn(app), await signIn(app)];
  for (const { email } of accounts) t.equal((await forgot(app, { email })).statusCode, 202);
  t.equal((await post.received(2)).length, 2, 'two at once');
  await app.close();
  release();
  t.equal(post.mails.length, 2, 'the third is not sent');
});

t.test('a disabled account gets no mail, and its link is dead', async (t) => {
  const { app, post } = await start(t);
  const [account, disabled] = [await signIn(app), await signIn(app)];
  await forgot(app, { email: disabled.email });
  const [mail] = await post.received(1);
  await app.db.execute(`update users set disabled_at = now() where id = '${disabled.id}'`);
  t.equal((await reset(app, tokenOf(mail))).statusCode, 400);
  await forgot(app, { email: disabled.email });
  await forgot(app, { email: account.email });
  await app.close();
  t.same(
    (await post.received(2)).map(({ to }) => to[0]),
    [disabled.email, account.email],
  );
});

t.test('a link is dead after an hour, by a newer one, by another password or end', async (t) => {
  const { app, post } = await start(t);
  const ways: Record<string, (account: TestAccount) => Promise<unknown>> = {
    'an hour': () => app.db.execute(`update password_resets set expires_at = expires_at - interval '1 hour'`),
    'a newer link': ({ email }) => forgot(app, { email }),
    'another password by its owner': ({ bearer, password }) =>
      app.inject({
        method: 'POST',
        url: '/api/account/password',
        headers: bearer,
        payload: { current_password: password, new_password: 'a third password' },
      }),
    'another password by the administrator': async ({ id }) =>
      setPassword(app.db, id, await hashPassword('a third password')),
    'a disabling': async ({ id }) => {
      await setDisabled(app.db, id, true);
      await setDisabled(app.db, id, false);
    },
    'the end of the account': ({ bearer, password }) =>
      app.inject({ method: 'DELETE', url: '/api/account', headers: bearer, payload: { password } }),
  };
  for (const [name, end] of Object.entries(ways)) {
    const account = await signIn(app);
    const count = post.mails.length;
    await forgot(app, { email: account.email });
    const mail = (await post.received(count + 1)).at(-1);
    await end(account);
    if (name === 'a newer link') await post.received(count + 2);
    t.equal((await reset(app, tokenOf(mail))).json().code, 'RESET_LINK_DEAD', name);
  }
});

t.test('of two uses of one link at once, one sets its password', async (t) => {
  const { app, post } = await start(t);
  const account = await signIn(app);
  await forgot(app, { email: account.email });
  const [mail] = await post.received(1);
  const passwords = ['first password', 'second password'];
  const statuses = (await Promise.all(passwords.map((word) => reset(app, tokenOf(mail), word)))).map(
    ({ statusCode }) => statusCode,
  );
  t.same([...statuses].sort(), [204, 400]);
  await t.resolves(logIn(app, { ...account, password: passwords[statuses.indexOf(204)] ?? '' }));
});

t.test('a link survives a password that breaks its rule, and guesses are refused', async (t) => {
  const { app, post } = await start(t);
  const account = await signIn(app);
  await forgot(app, { email: account.email });
  const [mail] = await post.received(1);
  const short = await reset(app, tokenOf(mail), 'short');
  t.equal(short.statusCode, 400);
  t.match(short.json().message, /password needs 8/);
  for (const token of ['', 'x', 'nul\u0000', `${tokenOf(mail)}x`, tokenOf(mail).slice(1), 'x'.repeat(50_000)]) {
    t.equal((await reset(app, token)).json().code, 'RESET_LINK_DEAD', token.slice(0, 50));
  }
  t.equal((await reset(app, tokenOf(mail))).statusCode, 204);
});

t.test('five mails an hour are sent for one account, known or not, whoever asks', async (t) => {
  const { app, post } = await start(t, { rateLimit: 'on' });
  const account = await signIn(app);
  for (const email of [account.email, 'nobody@example.com']) {
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/forgot',
        payload: { email },
        remoteAddress: `192.0.2.${index}`,
      });
      statuses.push(answer.statusCode);
      if (index === 5) t.ok(Number(answer.headers['retry-after']) > 3000);
    }
    t.same(statuses, [...Array(5).fill(202), 429]);
  }
  await app.close();
  t.equal((await post.received(5)).length, 5);
});

t.test('one address asks twenty times an hour, and tries sixty links', async (t) => {
  const { app } = await start(t, { rateLimit: 'on' });
  const statuses = async (times: number, ask: (index: number) => ReturnType<typeof forgot>) => {
    const seen: number[] = [];
    for (let index = 0; index < times; index += 1) seen.push((await ask(index)).statusCode);
    return seen;
  };
  t.same(await statuses(21, (index) => forgot(app, { email: `nobody-${index}@example.com` })), [
    ...Array(20).fill(202),
    429,
  ]);
  t.same(await statuses(61, (index) => reset(app, `guess ${index}`)), [...Array(60).fill(400), 429]);
});

t.test('a mail that is refused is told to the log, without the address and the link', async (t) => {
  const lines: string[] = [];
  const { app, post } = await start(t, { logLevel: 'info' }, { refuses: () => true });
  app.log.error = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  app.log.info = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  const account = await signIn(app);
  t.equal((await forgot(app, { email: account.email })).statusCode, 202);
  await app.close();
  t.equal(post.mails.length, 0);
  t.match(lines.join('\n'), /could not be mailed/);
  t.match(lines.join('\n'), /550/);
  t.notMatch(lines.join('\n'), account.email);
  t.notMatch(lines.join('\n'), 'token');
});

t.test('without a mail server nothing is mailed, and the client can know', async (t) => {
  const { app } = await start(t);
  const silent = await buildTestApp(t);
  const config = async (one: FastifyInstance) => (await one.inject({ url: '/api/auth/config' })).json();
  t.same(await config(app), { password_reset: true, abuse_contact: null });
  t.same(await config(silent), { password_reset: false, abuse_contact: null });
  const answer = await forgot(silent, { email: 'amira@example.com' });
  t.equal(answer.statusCode, 403);
  t.match(answer.json(), { code: 'RESET_UNAVAILABLE', message: /administrator/ });
});
