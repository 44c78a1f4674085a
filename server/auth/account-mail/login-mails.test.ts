import t from 'tap';
import { logIn, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { readMail, startMailServer } from '../../testing/mail/mail-server.ts';
import { mailsSent } from '../../testing/mail/mails-sent.ts';
import { seeDevice } from './queries.ts';

const publicUrl = 'https://img.example.com';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const page = { origin: publicUrl, 'user-agent': firefox };

const post = await startMailServer(t, { refuses: (address) => address.startsWith('refused') });
const app = await buildTestApp(t, { smtpUrl: post.url, mailFrom: 'gallery@example.com', publicUrl });

/** A browser that keeps its cookies. */
function browser() {
  const jar = new Map<string, string>();
  return async ({ email, password }: Pick<TestAccount, 'email' | 'password'>, more: object = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const payload = { email, password, ...more };
    const headers = { ...page, ...(cookie && { cookie }) };
    const answer = await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload });
    for (const { name, value } of answer.cookies) jar.set(name, value);
    return answer;
  };
}

const program = ({ email, password }: TestAccount, agent: string, remoteAddress: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'user-agent': agent },
    payload: { email, password },
    remoteAddress,
  });

t.test('a login from a new browser sends one mail, with the program and the time', async (t) => {
  const account = await signIn(app);
  const [mine, strange] = [browser(), browser()];
  const answer = await mine(account);
  const device = answer.cookies.find(({ name }) => name.endsWith('device'));
  t.match(device, { name: '__Host-device', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  await post.received(1, account.email);
  await mine(account);
  await strange(account, { language: 'ar' });
  const [, mail] = await post.received(2, account.email);
  t.same(mail?.to, [account.email]);
  const { plain, html } = readMail(mail as never);
  t.match(plain, /Firefox.*Linux/s);
  t.match(plain, /\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  t.match(plain, `${publicUrl}/forgot`);
  t.notMatch(plain, '127.0.0.1');
  t.match(html, 'lang="ar"');
  await strange(account);
  await mine(account);
  await mailsSent(app, post);
  t.equal(post.mailsTo(account.email).length, 2, 'logins from known browsers send no mail');
});

t.test('the first device of an old account is mailed, that of a new account is not', async (t) => {
  const fresh = await signIn(app);
  const old = await signIn(app);
  await mailsSent(app, post);
  await app.db.execute(`delete from devices where user_id in ('${fresh.id}', '${old.id}')`);
  await app.db.execute(`update users set created_at = now() - interval '2 days' where id = '${old.id}'`);
  await browser()(fresh);
  await browser()(old);
  await mailsSent(app, post);
  t.same([post.mailsTo(fresh.email).length, post.mailsTo(old.email).length], [0, 1]);
});

t.test('one of several concurrent first logins is the first', async (t) => {
  const account = await signIn(app);
  await mailsSent(app, post);
  await app.db.execute(`delete from devices where user_id = '${account.id}'`);
  const keys = Array.from({ length: 8 }, (_, index) => `key ${index % 4}`);
  const seen = await Promise.all(keys.map((key) => seeDevice(app.db, account, key)));
  t.equal(seen.filter(({ first }) => first).length, 1);
  t.equal(seen.filter(({ known }) => known).length, 4);
});

t.test('a program without cookies is recognized by its name and address', async (t) => {
  const account = await signIn(app);
  for (const [agent, address] of [
    ['curl/8.5.0', '192.0.2.1'],
    ['curl/8.5.0', '192.0.2.1'],
    ['curl/8.5.0', '198.51.100.7'],
    ['python-requests/2.31', '192.0.2.1'],
  ] as const)
    await program(account, agent, address);
  await mailsSent(app, post);
  const mails = post.mailsTo(account.email);
  t.equal(mails.length, 3);
  t.notMatch(mails.map(({ source }) => source).join(''), /192\.0\.2\.1|198\.51\.100\.7/);
});

t.test('no mail is sent if the account disabled them, for a wrong password, or beyond ten a day', async (t) => {
  const [quiet, account] = [await signIn(app), await signIn(app)];
  const patch = (payload: object) =>
    app.inject({ method: 'PATCH', url: '/api/account/mail', headers: quiet.bearer, payload });
  t.equal((await patch({ login_mails: 'no' })).statusCode, 400);
  const answer = await patch({ login_mails: false });
  t.same([answer.statusCode, answer.json().login_mails], [200, false]);
  await browser()(quiet);
  await browser()({ ...account, password: 'not my password' });
  for (let index = 0; index < 12; index += 1) t.equal((await browser()(account)).statusCode, 200);
  await mailsSent(app, post);
  const [mail, ...others] = post.mailsTo(quiet.email);
  t.match(mail && readMail(mail).plain, /were turned off/, 'only that they are off');
  t.same([others.length, post.mailsTo(account.email).length], [0, 10]);
});

t.test('a mail server that hangs or refuses neither delays nor fails a login', async (t) => {
  const account = await signIn(app);
  const release = post.hold([account.email]);
  t.equal((await browser()(account)).statusCode, 200);
  await post.received(1, account.email);
  t.equal((await browser()(account)).statusCode, 200, 'a login succeeds while an earlier mail hangs');
  release();
  const refused = { username: 'refused', email: 'refused@example.com', password: 'a long enough password' };
  await app.inject({ method: 'POST', url: '/api/auth/register', payload: refused });
  await logIn(app, refused);
  t.equal((await browser()(refused)).statusCode, 200);
  await mailsSent(app, post);
  t.equal((await browser()(refused)).statusCode, 200, 'a login succeeds after a mail was refused');
});

t.test('an account keeps fifty devices, and none if the server sends no mail', async (t) => {
  const account = await signIn(app);
  const devices = () => app.db.execute(`select 1 from devices where user_id = '${account.id}'`);
  await eventually('the device of this login', async () => (await devices()).length === 1);
  await app.db.execute(`insert into devices (user_id, key_hash, seen_at)
    select '${account.id}', 'key ' || n, now() - n * interval '1 minute' from generate_series(1, 60) n`);
  await browser()(account);
  // The devices are stored before the mail is sent.
  await post.received(1, account.email);
  t.equal((await devices()).length, 50);
  const silent = await buildTestApp(t);
  const answer = await silent.inject({ method: 'POST', url: '/api/auth/login', payload: await signIn(silent) });
  t.same(
    answer.cookies.map(({ name }) => name),
    ['session'],
  );
  t.equal((await silent.db.execute('select 1 from devices')).length, 0);
});
