import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { countAttempt } from '../../http/limits/rate-limit-queries.ts';
import { logIn, signIn as signInUnconfirmed, type TestAccount } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { type Mail, readMail, startMailServer } from '../../testing/mail/mail-server.ts';
import { emailKey } from '../account-names.ts';
import { setDisabled } from '../queries.ts';

const publicUrl = 'https://img.example.com';

const post = await startMailServer(t);
const config = await testConfig(t, { smtpUrl: post.url, mailFrom: 'gallery@example.com', publicUrl });
const app = await buildTestApp(t, config);
const limited = await buildTestApp(t, { ...config, rateLimit: 'on' });

const another = (email: string) => `new-${email}`;
const plainOf = (mail: Mail | undefined) => (mail ? readMail(mail).plain : '');
const tokenOf = (mail: Mail | undefined) => /\/email#token=([\w-]+)/.exec(plainOf(mail))?.[1] ?? '';
const { mailsTo } = post;

const change = (app: FastifyInstance, { bearer, password }: TestAccount, email: string, more: object = {}) =>
  app.inject({ method: 'PATCH', url: '/api/account', headers: bearer, payload: { email, password, ...more } });
const confirm = (app: FastifyInstance, token: string) =>
  app.inject({ method: 'POST', url: '/api/auth/email', payload: { token } });
const mailSettings = (app: FastifyInstance, bearer: { authorization: string }) =>
  app.inject({ url: '/api/account/mail', headers: bearer });

/** An account whose first email is confirmed: then a change of it ends nothing. */
async function signIn(app: FastifyInstance): Promise<TestAccount> {
  const account = await signInUnconfirmed(app);
  await app.db.execute(`update users set email_confirmed_at = now() where id = '${account.id}'`);
  return account;
}

/** Requests another email. @returns the account with its new session, and the link's token */
async function ask(app: FastifyInstance, account: TestAccount, email = another(account.email)) {
  const count = mailsTo(email).length;
  const answer = await change(app, account, email);
  t.equal(answer.statusCode, 200);
  const mail = (await post.received(count + 1, email)).at(-1);
  const bearer = { authorization: `Bearer ${answer.json().access_token}` };
  return { answer, email, token: tokenOf(mail), account: { ...account, bearer } };
}

t.test('a new email is pending until the link mailed to it is confirmed', async (t) => {
  const first = await signIn(app);
  const { answer, email, token, account } = await ask(app, first);
  t.match(answer.json(), { user: { email: first.email }, pending_email: email });
  t.match(token, /^[\w-]{43}$/);
  t.match(plainOf(mailsTo(email)[0]), `${publicUrl}/email#token=`);
  t.notMatch(
    JSON.stringify(await app.db.execute('select * from email_changes')),
    token,
    "only the token's hash is stored",
  );
  await t.resolves(logIn(app, first), 'the old email still logs in');
  await t.rejects(logIn(app, { ...first, email }));
  t.match((await mailSettings(app, account.bearer)).json(), { available: true, pending_email: { email } });

  t.equal(
    (await app.inject({ url: `/api/auth/email?token=${token}` })).statusCode,
    404,
    'a GET request does not confirm',
  );
  await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email: first.email } });
  const reset = (await post.received(2, first.email)).find((mail) => /\/reset#/.test(plainOf(mail)));
  t.equal((await confirm(app, token)).statusCode, 204);
  const used = /#token=([\w-]+)/.exec(plainOf(reset))?.[1] ?? '';
  const payload = { token: used, password: 'a new password' };
  const taken = await app.inject({ method: 'POST', url: '/api/auth/reset', payload });
  t.equal(taken.json().code, 'RESET_LINK_DEAD', 'a reset link sent to the old address is dead');
  await t.resolves(logIn(app, { ...first, email }));
  await t.rejects(logIn(app, first));
  t.equal((await mailSettings(app, account.bearer)).json().pending_email, null);
  const again = await confirm(app, token);
  t.equal(again.statusCode, 400);
  t.equal(again.json().code, 'EMAIL_LINK_DEAD');
  const log = await app.db.execute(
    `select details, actor_id, address from audit_log where action = 'account.changed' and account_id = '${first.id}' order by id`,
  );
  const by = { actor_id: first.id, address: '127.0.0.1' };
  t.same(
    [...log],
    [
      { details: { username: false, email: 'unconfirmed' }, ...by },
      { details: { email: true }, ...by },
    ],
  );
});

t.test('another case of the same email changes at once, without a mail', async (t) => {
  const account = await signIn(app);
  const email = account.email.toUpperCase();
  const answer = (await change(app, account, email)).json();
  t.match(answer, { user: { email } });
  t.notOk('pending_email' in answer);
});

t.test('only the first confirmation says what it ends', async (t) => {
  const [fresh, moving] = [await signInUnconfirmed(app), await signIn(app)];
  await app.inject({ method: 'POST', url: '/api/account/mail/resend', headers: fresh.bearer });
  const first = plainOf((await post.received(1, fresh.email)).at(-1));
  t.match(first, /&first/);
  t.match(first, /first confirmation.*\/forgot/s);
  await change(app, moving, another(moving.email));
  const later = plainOf((await post.received(1, another(moving.email))).at(-1));
  t.match(later, '/email#token=');
  t.notMatch(later, /&first|first confirmation|forgot/);
});

t.test('the old address gets a mail that describes the change and how to stop it', async (t) => {
  for (const [language, pattern] of [
    ['en', /asked to change the email.*set a new password/s],
    ['ar', /تغيير البريد الإلكتروني/],
  ] as const) {
    const account = await signIn(app);
    await change(app, account, another(account.email), { language });
    const [notice] = await post.received(1, account.email);
    t.match(plainOf(notice), pattern);
    t.match(plainOf(notice), another(account.email));
    t.match(plainOf(notice), `${publicUrl}/forgot`);
    t.notMatch(notice?.source, 'token=', 'without the link');
    t.match(notice && readMail(notice).html, `lang="${language}"`);
  }
});

t.test(
  'a pending email ends with a newer one, a new password, a cancellation, a disabled account and its expiry',
  async (t) => {
    const endTime = ({ id }: TestAccount) =>
      app.db.execute(`update email_changes set expires_at = now() - interval '1 second' where user_id = '${id}'`);
    const ways: Record<string, (account: TestAccount) => Promise<unknown>> = {
      'a newer request': async (account) => ask(app, account, `newer-${account.email}`),
      'a resent link': async ({ bearer, email }) => {
        const answer = await app.inject({ method: 'POST', url: '/api/account/mail/resend', headers: bearer });
        t.equal(answer.statusCode, 202);
        await post.received(2, another(email));
      },
      'a new password': ({ bearer, password }) =>
        app.inject({
          method: 'POST',
          url: '/api/account/password',
          headers: bearer,
          payload: { current_password: password, new_password: 'a new password' },
        }),
      'a cancel': async ({ bearer }) => {
        const cancel = () => app.inject({ method: 'DELETE', url: '/api/account/mail/pending', headers: bearer });
        t.equal((await cancel()).statusCode, 204);
        t.equal((await cancel()).statusCode, 204, 'again');
      },
      'a disabling': async ({ id }) => {
        await setDisabled(app.db, id, true);
        await setDisabled(app.db, id, false);
      },
      'its time': endTime,
      'the end of the account': ({ bearer, password }) =>
        app.inject({ method: 'DELETE', url: '/api/account', headers: bearer, payload: { password } }),
    };
    for (const [name, end] of Object.entries(ways)) {
      const { token, account, email } = await ask(app, await signIn(app));
      await end(account);
      t.equal((await confirm(app, token)).json().code, 'EMAIL_LINK_DEAD', name);
      if (name === 'a resent link')
        t.equal((await confirm(app, tokenOf(mailsTo(email).at(-1)))).statusCode, 204, 'the newer link works');
      else await t.rejects(logIn(app, { ...account, email, password: account.password }), name);
    }
    const { account } = await ask(app, await signIn(app));
    await endTime(account);
    await app.sweeps.run();
    const left = await app.db.execute(`select 1 from email_changes where user_id = '${account.id}'`);
    t.same(left, [], 'expired changes are deleted');
  },
);

t.test('confirming an email that another account took meanwhile is refused', async (t) => {
  const { token, email, account } = await ask(app, await signIn(app));
  const payload = { username: 'faster', email: email.toUpperCase(), password: 'a long enough password' };
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/register', payload })).statusCode, 201);
  const answer = await confirm(app, token);
  t.equal(answer.statusCode, 409);
  t.match(answer.json(), { code: 'EMAIL_TAKEN_MEANWHILE', message: /Choose another/ });
  await t.resolves(logIn(app, account), 'the account is unchanged');
  const other = await signIn(app);
  const taken = await change(app, other, email);
  t.equal(taken.statusCode, 409, 'a request for a taken email is refused at once');
  t.equal(taken.json().code, 'EMAIL_TAKEN');
});

t.test('one of two accounts that confirm the same email at once gets it', async (t) => {
  const asked = [];
  for (const account of [await signIn(app), await signIn(app)]) asked.push(await ask(app, account, 'both@example.com'));
  const answers = await Promise.all(asked.map(({ token }) => confirm(app, token)));
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [204, 409]);
});

t.test('at most five mails an hour are sent for one account and to one address', async (t) => {
  const app = limited;
  let { account } = await ask(app, await signIn(app));
  const resend = () => app.inject({ method: 'POST', url: '/api/account/mail/resend', headers: account.bearer });
  const statuses = [];
  for (let index = 0; index < 5; index += 1) statuses.push((await resend()).statusCode);
  t.same(statuses, [202, 202, 202, 202, 429]);
  const seen = [];
  for (let index = 0; index < 6; index += 1)
    seen.push((await change(app, await signIn(app), 'one@example.com')).statusCode);
  t.same(seen, [200, 200, 200, 200, 200, 429], 'for any account');
  ({ account } = await ask(app, await signIn(app)));
  t.ok(account);
});

t.test('a username and an email changed together both change or neither does', async (t) => {
  const app = limited;
  const [account, other] = [await signIn(app), await signIn(app)];
  const names = async () => (await app.inject({ url: '/api/auth/me', headers: account.bearer })).json().user;
  const before = await names();

  const takenEmail = await change(app, account, other.email, { username: 'half-applied' });
  t.equal(takenEmail.json().code, 'EMAIL_TAKEN');
  t.same(await names(), before);

  const username = other.email.split('@')[0];
  const takenName = await change(app, account, another(account.email), { username });
  t.equal(takenName.json().code, 'USERNAME_TAKEN');
  t.equal((await mailSettings(app, account.bearer)).json().pending_email, null);

  const key = createHash('sha256').update(emailKey('full@example.com')).digest('hex');
  for (let mail = 0; mail < 5; mail += 1) await countAttempt(app.db, `email-change-to:${key}`, 3_600_000);
  const tooMany = await change(app, account, 'full@example.com', { username: 'half-applied' });
  t.equal(tooMany.statusCode, 429);
  t.same(await names(), before);
  t.equal((await mailSettings(app, account.bearer)).json().pending_email, null);
  for (const address of [account.email, another(account.email), 'full@example.com']) t.same(mailsTo(address), []);

  const both = await change(app, account, another(account.email), { username: 'renamed' });
  t.match(both.json(), { user: { username: 'renamed' }, pending_email: another(account.email) });
  const [mail] = await post.received(1, another(account.email));
  t.match(plainOf(mail), 'renamed');
});

t.test('requests for a taken address do not count against its mail limit', async (t) => {
  const app = limited;
  const [attacker, owner] = [await signIn(app), await signIn(app)];
  for (let request = 0; request < 5; request += 1) {
    t.equal((await change(app, attacker, owner.email)).statusCode, 409);
  }
  const payload = { password: owner.password };
  await app.inject({ method: 'DELETE', url: '/api/account', headers: owner.bearer, payload });
  await ask(app, await signIn(app), owner.email);
  await ask(app, attacker);
});

t.test('guessed links are refused, and without a mail server the email changes at once', async (t) => {
  for (const token of ['', 'x', 'nul\u0000', 'x'.repeat(50_000)])
    t.equal((await confirm(app, token)).json().code, 'EMAIL_LINK_DEAD', token.slice(0, 50));
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/email', payload: {} })).statusCode, 400);

  const silent = await buildTestApp(t);
  const account = await signIn(silent);
  const answer = (await change(silent, account, another(account.email))).json();
  t.equal(answer.user.email, another(account.email));
  t.equal(answer.pending_email, undefined);
  const bearer = { authorization: `Bearer ${answer.access_token}` };
  t.same((await mailSettings(silent, bearer)).json(), { available: false, login_mails: true, pending_email: null });
});
