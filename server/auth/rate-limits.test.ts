import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';

type From = { remoteAddress?: string; headers?: Record<string, string> };

const login = (app: FastifyInstance, email: string, password: string, from: From = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password }, ...from });

/** Extends open windows beyond the test, even on a slow machine. */
const holdWindows = (app: FastifyInstance) =>
  app.db.execute(
    `update rate_limits set resets_at = now() + interval '1 hour' where resets_at < now() + interval '1 hour'`,
  );

/** Sets a count, in a window that outlasts the test. */
const spend = (key: string, count: number) =>
  app.db.execute(
    `update rate_limits set count = ${count}, resets_at = now() + interval '1 hour' where key like '${key}'`,
  );

const config = await testConfig(t, { rateLimit: 'on' });
const app = await buildTestApp(t, config);

t.test('after ten failed logins of one account the next is refused before its password is checked', async (t) => {
  const { email, password } = await signIn(app);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      login(app, email, 'wrong password', { remoteAddress: `192.0.2.${index}` }),
    ),
  );
  t.equal(answers.filter(({ statusCode }) => statusCode === 401).length, 10);
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  t.equal(refused.length, 2);
  const seconds = Number(refused[0]?.headers['retry-after']);
  t.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  t.match(refused[0]?.json(), { statusCode: 429, code: 'TOO_MANY_REQUESTS', error: 'Too Many Requests' });
  const stranger = { remoteAddress: '192.0.2.99' };
  t.equal((await login(app, email, password, stranger)).statusCode, 429, 'the right password is refused too');
  t.equal((await login(app, 'other@example.com', 'wrong password')).statusCode, 401, 'other accounts are not affected');
});

t.test('successful logins neither count as failures nor reset them', async (t) => {
  const home = { remoteAddress: '192.0.2.101' };
  const { email, password } = await signIn(app, home);
  const good = await Promise.all(Array.from({ length: 11 }, () => login(app, email, password, home)));
  t.same(new Set(good.map(({ statusCode }) => statusCode)), new Set([200]));
  const wrong = await Promise.all(Array.from({ length: 11 }, () => login(app, email, 'wrong password', home)));
  t.equal(wrong.filter(({ statusCode }) => statusCode === 401).length, 10);
});

t.test("strangers who use up an account's attempts do not lock its owner out", async (t) => {
  const [home, elsewhere] = [{ remoteAddress: '192.0.2.102' }, { remoteAddress: '192.0.2.103' }];
  const { email, password } = await signIn(app, home);
  t.equal((await login(app, email, 'wrong password', elsewhere)).statusCode, 401);
  await spend(`account:${email}`, 10);
  t.equal((await login(app, email, password, elsewhere)).statusCode, 429);
  t.equal((await login(app, email, password, home)).statusCode, 200, 'from an address of an earlier login');
  t.equal((await login(app, email, 'wrong password', home)).statusCode, 401);
  await spend('known-account:%', 9);
  const wrong: number[] = [];
  for (let index = 0; index < 2; index += 1) wrong.push((await login(app, email, 'wrong password', home)).statusCode);
  t.same(wrong, [401, 429], 'others at that address guess no faster');
  const [row] = await app.db.execute(`select string_agg(key, ' ') as keys from rate_limits where key like 'known%'`);
  t.notMatch(row?.keys, /192\.0|@/, 'the table does not show who logged in from where');
});

t.test(
  'excess attempts at one name from a hundred addresses are refused before hashing, and others log in',
  async (t) => {
    const victim = await signIn(app);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        login(app, victim.email, `guess ${index}`, { remoteAddress: `198.51.1.${index}` }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    // Windows last a minute; on a slow machine the test spans several.
    const guessed = statuses.filter((status) => status === 401).length;
    t.ok(guessed >= 10 && guessed <= 50, `${guessed} were checked`);
    t.equal(statuses.filter((status) => status === 429).length, 100 - guessed);
    const other = await signIn(app);
    t.equal((await login(app, other.email, other.password)).statusCode, 200);
  },
);

t.test('one address gets sixty logins a minute, for any names and forwarding headers', async (t) => {
  const from = { remoteAddress: '192.0.2.104' };
  const guess = async (index: number) => {
    const headers = { 'x-forwarded-for': `198.51.100.${index}` };
    return (await login(app, `name-${index}@example.com`, 'Summer2026!', { ...from, headers })).statusCode;
  };
  t.equal(await guess(0), 401);
  await spend(`login:${from.remoteAddress}`, 57);
  const others = await Promise.all(Array.from({ length: 20 }, (_, index) => guess(index + 1)));
  t.same(others.toSorted(), [...Array(3).fill(401), ...Array(17).fill(429)]);
  const other = await signIn(app);
  t.equal((await login(app, other.email, other.password, { remoteAddress: '192.0.2.5' })).statusCode, 200);
});

t.test('a /48 of IPv6 gets sixteen times as many registrations as one of its addresses', async (t) => {
  const register = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/api/auth/register', payload: {}, remoteAddress })).statusCode;
  for (let count = 0; count < 61; count += 1) await register('2001:db8:1::1');
  t.equal(await register('2001:db8:1::2'), 429, 'the same /64');
  t.equal(await register('2001:db8:1:1::1'), 400, 'another /64');
  await app.db.execute(`update rate_limits set count = 960 where key = 'register:2001:db8:1::/48'`);
  t.equal(await register('2001:db8:1:2::1'), 429, 'an unseen /64 of the same /48');
  t.equal(await register('2001:db8:2::1'), 400, 'another /48');
  t.equal(await register('192.0.2.105'), 400);
});

t.test('one address gets sixty registrations an hour', async (t) => {
  const register = () =>
    app.inject({ method: 'POST', url: '/api/auth/register', payload: {}, remoteAddress: '192.0.2.106' });
  for (let index = 0; index < 60; index += 1) t.equal((await register()).statusCode, 400);
  const refused = await register();
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 3500);
  t.match(refused.json().message, /minutes/);
});

t.test('counts are shared by processes and end with their window', async (t) => {
  const open = (server: FastifyInstance) => async () =>
    (await login(server, 'victim@example.com', 'wrong password')).statusCode;
  const second = await buildTestApp(t, config);
  const [guess, guessElsewhere] = [open(app), open(second)];
  // The window must not end within the test.
  t.equal(await guess(), 401);
  await holdWindows(app);
  const counted: number[] = [];
  for (let index = 0; index < 10; index += 1) counted.push(await (index % 2 ? guess : guessElsewhere)());
  t.same(counted, [...Array(9).fill(401), 429], 'ten in both processes together');
  t.equal(await guess(), 429);
  t.equal(await guessElsewhere(), 429);
  await second.close();
  const restarted = open(await buildTestApp(t, config));
  t.equal(await restarted(), 429, 'a restart keeps the counts');
  await app.db.execute(`update rate_limits set resets_at = now() - interval '1 second' where key like 'account:%'`);
  t.equal(await restarted(), 401);
});

t.test('RATE_LIMIT=off counts nothing', async (t) => {
  const app = await buildTestApp(t, { ...config, rateLimit: 'off' });
  const logins = await Promise.all(Array.from({ length: 12 }, () => login(app, 'nobody@example.com', 'password')));
  t.same(new Set(logins.map(({ statusCode }) => statusCode)), new Set([401]));
  const register = () => app.inject({ method: 'POST', url: '/api/auth/register', payload: {} });
  const registrations = await Promise.all(Array.from({ length: 65 }, register));
  t.same(new Set(registrations.map(({ statusCode }) => statusCode)), new Set([400]));
});
