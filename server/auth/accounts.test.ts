import { randomUUID } from 'node:crypto';
import t from 'tap';
import { invites } from '../../drizzle/schema.ts';
import { hashToken } from '../mail/token.ts';
import { logIn, signIn } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { emailKey } from './account-names.ts';
import { insertUser } from './queries.ts';

const amira = { username: 'amira', email: 'Amira@Example.com', password: 'correct horse' };

const app = await buildTestApp(t);
const closed = await buildTestApp(t, { registration: 'closed', publicUrl: 'https://img.example.com' });

t.test('registration answers the user without secrets', async (t) => {
  const answer = await app.inject({ method: 'POST', url: '/api/auth/register', payload: amira });
  t.equal(answer.statusCode, 201);
  const { user } = answer.json();
  t.same(Object.keys(user).sort(), ['created_at', 'email', 'id', 'username']);
  t.match(user, { username: 'amira', email: 'Amira@Example.com' });
  t.match(user.created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
});

t.test('a name or an email that differs only in case or composition is taken', async (t) => {
  const register = (payload: object) => app.inject({ method: 'POST', url: '/api/auth/register', payload });
  const { password } = amira;
  await register({ username: 'Café', email: 'Noor@Example.com', password });
  for (const [names, code] of [
    [{ username: 'CAFE\u0301', email: 'other@example.com' }, 'USERNAME_TAKEN'],
    [{ username: 'other', email: 'nOOR@eXample.COM' }, 'EMAIL_TAKEN'],
  ] as const) {
    const answer = await register({ ...names, password });
    t.equal(answer.statusCode, 409);
    t.match(answer.json(), { statusCode: 409, code, error: 'Conflict', message: /./ });
  }
});

t.test('one of twenty concurrent registrations of a name succeeds', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const payload = { ...amira, username: 'wanted', email: `wanted-${index}@example.com` };
      return app.inject({ method: 'POST', url: '/api/auth/register', payload });
    }),
  );
  t.equal(answers.filter((answer) => answer.statusCode === 201).length, 1);
  t.equal(answers.filter((answer) => answer.statusCode === 409).length, 19);
});

t.test('an invalid field is named in a sentence', async (t) => {
  const wrong: [object, RegExp][] = [
    [{ username: 'ab' }, /username/],
    [{ username: 'a'.repeat(33) }, /username/],
    [{ username: 'with space' }, /username/],
    [{ username: 'zero\u200bwidth' }, /username/],
    [{ username: ['abc'] }, /username/],
    [{ username: '\u0301\u0301\u0301' }, /username/],
    [{ username: 12345 }, /username/],
    [{ email: 'nobody' }, /email/],
    [{ email: 'a@' }, /email/],
    [{ email: 'a b@example.com' }, /email/],
    [{ email: 'a@b@example.com' }, /email/],
    [{ email: 'a\u0000@example.com' }, /email/],
    [{ email: null }, /email/],
    [{ password: '1234567' }, /password/],
    [{ password: 'x'.repeat(257) }, /password/],
    [{ password: undefined }, /"password" is missing/],
  ];
  for (const [changes, message] of wrong) {
    const answer = await app.inject({ method: 'POST', url: '/api/auth/register', payload: { ...amira, ...changes } });
    t.equal(answer.statusCode, 400, JSON.stringify(changes));
    t.match(answer.json().message, message);
  }
});

t.test('names of any script and passwords of any characters work', async (t) => {
  const accounts = [
    { username: 'أميرة_٢', email: 'a@example.com', password: 'كلمة السر' },
    { username: 'हिन्दी', email: 'ü@exämple.de', password: '🔑'.repeat(8) },
    { username: 'o.b-c_3', email: 'x+y@sub.example.co', password: 'p'.repeat(256) },
    { username: 'nul', email: 'n@localhost', password: 'with\u0000nul and more' },
  ];
  for (const account of accounts) {
    const answer = await app.inject({ method: 'POST', url: '/api/auth/register', payload: account });
    t.equal(answer.statusCode, 201, answer.body);
    await t.resolves(logIn(app, account));
  }
});

t.test('passwords differ by their last character', async (t) => {
  const long = { username: 'long', email: 'long@example.com', password: `${'p'.repeat(255)}a` };
  await app.inject({ method: 'POST', url: '/api/auth/register', payload: long });
  const login = (password: string) =>
    app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: long.email, password } });
  t.equal((await login(`${'p'.repeat(255)}b`)).statusCode, 401);
  t.equal((await login(long.password)).statusCode, 200);
});

t.test('registration is refused with a reason if it is closed', async (t) => {
  const answer = await closed.inject({ method: 'POST', url: '/api/auth/register', payload: amira });
  t.equal(answer.statusCode, 403);
  t.match(answer.json(), { code: 'REGISTRATION_CLOSED', message: /administrator/ });
});

t.test('an unknown email and a wrong password get the same answer', async (t) => {
  const { email } = await signIn(app);
  const login = async (payload: object) => {
    const { statusCode, body, headers } = await app.inject({ method: 'POST', url: '/api/auth/login', payload });
    return { statusCode, body, names: Object.keys(headers).sort() };
  };
  const wrong = await login({ email, password: 'not the password' });
  t.equal(wrong.statusCode, 401);
  for (const unknown of [
    'nobody@example.com',
    'not an email',
    '',
    'nul\u0000@example.com',
    'half\ud83d',
    'x'.repeat(10_000),
  ]) {
    t.same(await login({ email: unknown, password: 'not the password' }), wrong, JSON.stringify(unknown.slice(0, 30)));
  }
});

t.test('login answers the token, the user and a cookie with a separate token', async (t) => {
  const { email, password } = await signIn(app);
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: email.toUpperCase(), password },
  });
  t.equal(answer.statusCode, 200);
  t.same(Object.keys(answer.json()).sort(), ['access_token', 'user']);
  const [cookie] = answer.cookies;
  t.match(cookie, { name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' });
  t.notOk(cookie?.secure, 'plain http');
  t.not(cookie?.value, answer.json().access_token);
  t.equal(answer.headers['cache-control'], 'no-store');
});

t.test('over https the cookie is Secure and bound to the host', async (t) => {
  const account = await signIn(closed);
  const answer = await closed.inject({ method: 'POST', url: '/api/auth/login', payload: account });
  t.match(answer.cookies[0], { name: '__Host-session', secure: true, httpOnly: true, path: '/' });
});

t.test('bodies that are not JSON objects are refused with a client error', async (t) => {
  const bodies: [string, string, number][] = [
    ['{', 'application/json', 400],
    ['', 'application/json', 400],
    ['null', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['"text"', 'application/json', 400],
    ['{"__proto__":{"admin":true},"email":"a","password":"b"}', 'application/json', 400],
    [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'application/json', 400],
    [JSON.stringify({ email: 'x'.repeat(100_000), password: 'b' }), 'application/json', 413],
    ['email=a&password=b', 'application/x-www-form-urlencoded', 415],
    ['{"email":"a","password":"b"}', 'text/plain', 415],
    ['--b\r\n\r\n\r\n--b--\r\n', 'multipart/form-data; boundary=b', 415],
  ];
  for (const [payload, type, status] of bodies) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'content-type': type },
    });
    t.equal(answer.statusCode, status, `${type} ${payload.slice(0, 30)}`);
    t.same(Object.keys(answer.json()).sort(), ['code', 'error', 'message', 'statusCode']);
  }
});

t.test('an email is one account, whether its domain is sent in Unicode or in ASCII', async (t) => {
  const server = await buildTestApp(t);
  const send = (url: string, payload: object) => server.inject({ method: 'POST', url: `/api/auth/${url}`, payload });
  const { password } = amira;
  const [typed, sent] = ['lena@müller.example', 'Lena@xn--mller-kva.example'];
  t.equal((await send('register', { username: 'lena', email: typed, password })).statusCode, 201);
  t.match((await send('register', { username: 'lena2', email: sent, password })).json(), { code: 'EMAIL_TAKEN' });
  for (const email of [typed, sent])
    t.match((await send('login', { email, password })).json(), { user: { email: typed } });
  const invite = { name: 'Jörg', email: 'jo@xn--jrg-sna.example', secretHash: hashToken('secret'), maxUses: 1 };
  await server.db.insert(invites).values({ id: randomUUID(), ...invite });
  const invited = { username: 'joerg', email: 'jo@jörg.example', password, invite: 'secret' };
  t.equal((await send('register', invited)).statusCode, 201);
});

t.test('emails of an earlier version are found by both forms of their domain', async (t) => {
  const config = await testConfig(t);
  const before = await buildTestApp(t, config);
  for (const [username, email] of [
    ['lena', 'lena@müller.example'],
    ['twin', 'twin@müller.example'],
  ] as const) {
    await insertUser(before.db, { username, email, passwordHash: null });
    await before.db.execute(`update users set email_key = email where username = '${username}'`);
  }
  // Keys of before that are ASCII.
  for (const [username, email, key] of [
    ['sharp', 'x@faß.example', 'x@fass.example'],
    ['dotless', 'x@ısparta.example', 'x@isparta.example'],
  ] as const) {
    await insertUser(before.db, { username, email, passwordHash: null });
    await before.db.execute(`update users set email_key = '${key}' where username = '${username}'`);
  }
  await insertUser(before.db, { username: 'other', email: 'twin@xn--mller-kva.example', passwordHash: null });
  await before.close();
  const after = await buildTestApp(t, config);
  const keys = await after.db.execute('select username, email_key from users order by username');
  t.same(
    [...keys],
    [
      { username: 'dotless', email_key: emailKey('x@ısparta.example') },
      { username: 'lena', email_key: 'lena@xn--mller-kva.example' },
      { username: 'other', email_key: 'twin@xn--mller-kva.example' },
      { username: 'sharp', email_key: 'x@xn--fa-hia.example' },
      { username: 'twin', email_key: 'twin@müller.example' },
    ],
    'of two accounts with the same email, both keep their keys',
  );
});
