import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { logIn, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { type Mail, readMail, startMailServer } from '../../testing/mail/mail-server.ts';
import { mailsSent } from '../../testing/mail/mails-sent.ts';
import { hashPassword } from '../password/passwords.ts';
import { setDisabled, setPassword } from '../queries.ts';

const publicUrl = 'https://img.example.com';
const mailFrom = 'Gallery <gallery@example.com>';
const evil = { host: 'evil.example', origin: 'https://evil.example' };

const post = await startMailServer(t, {
  login: { user: 'mailer@example.com', pass: 'p@ss:word/' },
  refuses: (address) => address.startsWith('refused'),
});
const config = await testConfig(t, { smtpUrl: post.url, mailFrom, publicUrl });
const app = await buildTestApp(t, config);

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

t.test('a mailed link sets a new password once and ends every session', async (t) => {
  const account = await signIn(app);
  const other = await logIn(app, account);
  const answer = await forgot(app, { email: account.email.toUpperCase() }, evil);
  t.equal(answer.statusCode, 202);
  t.same(answer.json(), {}, 'the answer is empty');
  const [mail] = await post.received(1, account.email);
  t.match(mail, { from: 'gallery@example.com', to: [account.email] });
  t.match(
    linkOf(mail),
    /^https:\/\/img\.example\.com\/reset#token=[\w-]{43}$/,
    "the link does not use the request's host",
  );
  t.notMatch(mail?.source, 'evil');
  t.equal(await me(app, account), 200, 'a request for a link changes nothing');
  await t.resolves(logIn(app, account));

  const [row] = await app.db.execute(`select * from password_resets where user_id = '${account.id}'`);
  t.ok(row);
  t.notMatch(JSON.stringify(row), tokenOf(mail), 'the database does not hold the token');
  t.equal((await reset(app, tokenOf(mail))).statusCode, 204);
  for (const session of [account, other]) t.equal(await me(app, session), 401);
  await t.rejects(logIn(app, account));
  await t.resolves(logIn(app, { ...account, password: 'a new password' }));
  const again = await reset(app, tokenOf(mail), 'another password');
  t.equal(again.statusCode, 400);
  t.equal(again.json().code, 'RESET_LINK_DEAD');
});

t.test('the mail names its recipient in the requested language, as text and as HTML', async (t) => {
  const account = await signIn(app);
  for (const language of [undefined, 'ar'] as const) {
    await forgot(app, { email: account.email, ...(language ? { language } : {}) });
  }
  const [english, arabic] = (await post.received(2, account.email)).sort(
    (a, b) => readMail(a).html.indexOf('lang="ar"') - readMail(b).html.indexOf('lang="ar"'),
  );
  const username = account.email.split('@')[0] ?? '';
  for (const [mail, pattern, mark] of [
    [english, /Set a new password/, '<html lang="en" dir="ltr">'],
    [arabic, /كلمة مرور جديدة/, '<html lang="ar" dir="rtl">'],
  ] as const) {
    const { head, plain, html } = readMail(mail as Mail);
    t.match(plain, pattern);
    t.match(html, pattern);
    t.ok(html.includes(mark));
    for (const text of [plain, html]) t.ok(text.includes(username) && text.includes(linkOf(mail)));
    t.match(head, /^From: Gallery <gallery@example.com>\r$/m);
    t.match(head, /^Auto-Submitted: auto-generated\r$/im);
  }
  t.equal((await forgot(app, { email: account.email, language: 'xx' })).statusCode, 400);
});

t.test('an unknown email gets the same answer, and no mail', async (t) => {
  const account = await signIn(app);
  await mailsSent(app, post);
  const before = post.mails.length;
  const known = await forgot(app, { email: account.email });
  for (const email of ['nobody@example.com', 'no address', '', 'nul\u0000@example.com', 'x'.repeat(10_000)]) {
    const unknown = await forgot(app, { email });
    t.equal(unknown.statusCode, known.statusCode);
    t.equal(unknown.body, known.body);
    t.same(Object.keys(unknown.headers).sort(), Object.keys(known.headers).sort());
  }
  const own = await mailsSent(app, post);
  t.same(
    post.mails.slice(before).flatMap(({ to }) => to.filter((address) => !own.includes(address))),
    [account.email],
  );
});

t.test('the answer does not wait for the mail server, which gets at most two mails at once', async (t) => {
  const emails = [await signIn(app), await signIn(app), await signIn(app)].map(({ email }) => email);
  const [first = '', second = '', third = ''] = emails;
  const release = post.hold(emails);
  for (const email of emails) t.equal((await forgot(app, { email })).statusCode, 202);
  await Promise.all([first, second].map((email) => post.received(1, email)));
  t.same(post.mailsTo(third), [], 'the third waits');
  release();
  await post.received(1, third);
});

t.test('a disabled account gets no mail, and its link is dead', async (t) => {
  const disabled = await signIn(app);
  await forgot(app, { email: disabled.email });
  const [mail] = await post.received(1, disabled.email);
  await app.db.execute(`update users set disabled_at = now() where id = '${disabled.id}'`);
  t.equal((await reset(app, tokenOf(mail))).statusCode, 400);
  await forgot(app, { email: disabled.email });
  await mailsSent(app, post);
  t.equal(post.mailsTo(disabled.email).length, 1);
});

t.test('as many requests as are allowed in an hour do not end the link that was mailed first', async (t) => {
  const account = await signIn(app);
  for (let round = 0; round < 5; round += 1) await forgot(app, { email: account.email });
  const mails = await post.received(5, account.email);
  t.match(await app.db.execute(`select count(*)::int from password_resets where user_id = '${account.id}'`), [
    { count: 5 },
  ]);
  t.equal((await reset(app, tokenOf(mails[0]))).statusCode, 204);
  for (const mail of mails.slice(1)) t.equal((await reset(app, tokenOf(mail))).json().code, 'RESET_LINK_DEAD');
});

t.test("a link is dead after an hour, another link's use, a new password or the account's end", async (t) => {
  const ways: Record<string, (account: TestAccount) => Promise<unknown>> = {
    'an hour': ({ id }) =>
      app.db.execute(`update password_resets set expires_at = expires_at - interval '1 hour' where user_id = '${id}'`),
    "another link's use": async ({ email }) => {
      await forgot(app, { email });
      const [, newer] = await post.received(2, email);
      t.equal((await reset(app, tokenOf(newer))).statusCode, 204);
    },
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
    await forgot(app, { email: account.email });
    const [mail] = await post.received(1, account.email);
    await end(account);
    t.equal((await reset(app, tokenOf(mail))).json().code, 'RESET_LINK_DEAD', name);
  }
});

t.test('one of two concurrent uses of a link sets its password', async (t) => {
  const account = await signIn(app);
  await forgot(app, { email: account.email });
  const [mail] = await post.received(1, account.email);
  const passwords = ['first password', 'second password'];
  const statuses = (await Promise.all(passwords.map((word) => reset(app, tokenOf(mail), word)))).map(
    ({ statusCode }) => statusCode,
  );
  t.same([...statuses].sort(), [204, 400]);
  await t.resolves(logIn(app, { ...account, password: passwords[statuses.indexOf(204)] ?? '' }));
});

t.test('a link survives an invalid password, and guessed links are refused', async (t) => {
  const account = await signIn(app);
  await forgot(app, { email: account.email });
  const [mail] = await post.received(1, account.email);
  const short = await reset(app, tokenOf(mail), 'short');
  t.equal(short.statusCode, 400);
  t.match(short.json().message, /password needs 8/);
  for (const token of ['', 'x', 'nul\u0000', `${tokenOf(mail)}x`, tokenOf(mail).slice(1), 'x'.repeat(50_000)]) {
    t.equal((await reset(app, token)).json().code, 'RESET_LINK_DEAD', token.slice(0, 50));
  }
  t.equal((await reset(app, tokenOf(mail))).statusCode, 204);
});

t.test(
  'limits are five mails an hour for an account, and twenty requests and sixty links for an address',
  async (t) => {
    const app = await buildTestApp(t, { ...config, rateLimit: 'on' });
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
    await app.close();
    t.equal(post.mailsTo(account.email).length, 5, 'all queued mails are sent before a stop');
    t.same(post.mailsTo('nobody@example.com'), []);
  },
);

t.test('a refused mail is logged without the address and the link', async (t) => {
  const lines: string[] = [];
  const { error, info } = app.log;
  t.teardown(() => Object.assign(app.log, { error, info }));
  app.log.error = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  app.log.info = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  const account = { username: 'refused', email: 'refused@example.com', password: 'a long enough password' };
  await app.inject({ method: 'POST', url: '/api/auth/register', payload: account });
  t.equal((await forgot(app, { email: account.email })).statusCode, 202);
  await mailsSent(app, post);
  t.same(post.mailsTo(account.email), []);
  t.match(lines.join('\n'), /could not be mailed/);
  t.match(lines.join('\n'), /550/);
  t.notMatch(lines.join('\n'), account.email);
  t.notMatch(lines.join('\n'), 'token');
});

t.test('without a mail server no mail is sent, and the client can see that', async (t) => {
  const silent = await buildTestApp(t);
  const config = async (one: FastifyInstance) => (await one.inject({ url: '/api/auth/config' })).json();
  t.match(await config(app), { password_reset: true, abuse_contact: null, registration: 'open' });
  t.match(await config(silent), { password_reset: false, abuse_contact: null, registration: 'open' });
  const answer = await forgot(silent, { email: 'amira@example.com' });
  t.equal(answer.statusCode, 403);
  t.match(answer.json(), { code: 'RESET_UNAVAILABLE', message: /administrator/ });
});
