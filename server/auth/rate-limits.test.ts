import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';

type From = { remoteAddress?: string; headers?: Record<string, string> };

const login = (app: FastifyInstance, email: string, password: string, from: From = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password }, ...from });

/** However slow the machine, the windows that are open do not end within the test. */
const holdWindows = (app: FastifyInstance) =>
  app.db.execute(
    `update rate_limits set resets_at = now() + interval '1 hour' where resets_at < now() + interval '1 hour'`,
  );

t.test('after ten failed logins of one account the next is refused before its password is looked at', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
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
  t.equal((await login(app, email, password, stranger)).statusCode, 429, 'the right password has to wait too');
  t.equal((await login(app, 'other@example.com', 'wrong password')).statusCode, 401, 'other accounts do not');
});

t.test('logins that succeed do not count as failures', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const { email, password } = await signIn(app);
  for (let index = 0; index < 15; index += 1) t.equal((await login(app, email, password)).statusCode, 200);
});

t.test('good logins at once do not count as failures, nor make room for more', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const { email, password } = await signIn(app);
  const good = await Promise.all(Array.from({ length: 14 }, () => login(app, email, password)));
  t.same(new Set(good.map(({ statusCode }) => statusCode)), new Set([200]));
  const wrong = await Promise.all(Array.from({ length: 11 }, () => login(app, email, 'wrong password')));
  t.equal(wrong.filter(({ statusCode }) => statusCode === 401).length, 10);
});

t.test('strangers who use up the tries of an account do not keep its owner out', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const { email, password } = await signIn(app);
  const [home, elsewhere] = [{ remoteAddress: '127.0.0.1' }, { remoteAddress: '192.0.2.1' }];
  for (let index = 0; index < 11; index += 1) {
    await login(app, email, 'wrong password', elsewhere);
    await holdWindows(app);
  }
  t.equal((await login(app, email, password, elsewhere)).statusCode, 429);
  t.equal((await login(app, email, password, home)).statusCode, 200, 'from where the owner logged in before');
  const wrong: number[] = [];
  for (let index = 0; index < 11; index += 1) {
    wrong.push((await login(app, email, 'wrong password', home)).statusCode);
    await holdWindows(app);
  }
  t.same(wrong, [...Array(10).fill(401), 429], 'who shares that address guesses no faster');
  const [row] = await app.db.execute(`select string_agg(key, ' ') as keys from rate_limits where key like 'known%'`);
  t.notMatch(row?.keys, /127\.0|@/, 'the table does not tell who logged in from where');
});

t.test(
  'hundreds of tries at one name from hundreds of addresses are refused before the hash, and others log in',
  async (t) => {
    const app = await buildTestApp(t, { rateLimit: 'on' });
    const victim = await signIn(app);
    const counts = new Map<number, number>();
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          login(app, victim.email, `guess ${round} ${index}`, { remoteAddress: `198.51.${round}.${index}` }),
        ),
      );
      for (const { statusCode } of answers) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
    }
    // Windows of a minute: on a slow machine the test lasts several.
    const guessed = counts.get(401) ?? 0;
    t.ok(guessed >= 10 && guessed <= 50, `${guessed} were looked at`);
    t.equal((counts.get(429) ?? 0) + guessed, 500);
    const other = await signIn(app);
    t.equal((await login(app, other.email, other.password)).statusCode, 200);
  },
);

t.test('one password over a thousand names ends at sixty from one address', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const other = await signIn(app);
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => login(app, `name-${index}@example.com`, 'Summer2026!')),
  );
  const looked = answers.filter(({ statusCode }) => statusCode === 401).length;
  t.ok(looked >= 59 && looked <= 180, `${looked} were looked at`);
  t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 1000 - looked);
  t.equal((await login(app, other.email, other.password, { remoteAddress: '192.0.2.5' })).statusCode, 200);
});

t.test('one address gets sixty logins a minute, whatever it says of itself', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const statuses: number[] = [];
  for (let index = 0; index < 62; index += 1) {
    if (index === 1) await holdWindows(app);
    const headers = { 'x-forwarded-for': `198.51.100.${index}` };
    statuses.push((await login(app, `nobody-${index}@example.com`, 'password', { headers })).statusCode);
  }
  t.same(statuses.slice(0, 60), Array(60).fill(401));
  t.same(statuses.slice(60), [429, 429]);
  t.equal((await login(app, 'nobody@example.com', 'password', { remoteAddress: '192.0.2.9' })).statusCode, 401);
});

t.test('a /48 of IPv6 gets sixteen times as many registrations as one of its addresses', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const register = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/api/auth/register', payload: {}, remoteAddress })).statusCode;
  for (let count = 0; count < 61; count += 1) await register('2001:db8:1::1');
  t.equal(await register('2001:db8:1::2'), 429, 'the same /64');
  t.equal(await register('2001:db8:1:1::1'), 400, 'another /64');
  await app.db.execute(`update rate_limits set count = 960 where key = 'register:2001:db8:1::/48'`);
  t.equal(await register('2001:db8:1:2::1'), 429, 'a /64 of the same /48 that has not been seen before');
  t.equal(await register('2001:db8:2::1'), 400, 'another /48');
  t.equal(await register('192.0.2.1'), 400);
});

t.test('one address gets sixty registrations an hour', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const register = () => app.inject({ method: 'POST', url: '/api/auth/register', payload: {} });
  for (let index = 0; index < 60; index += 1) await register();
  const refused = await register();
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 3500);
  t.match(refused.json().message, /minutes/);
});

t.test('the counts hold across processes, and end with their window', async (t) => {
  const config = await testConfig(t, { rateLimit: 'on' });
  const open = async () => {
    const app = await buildTestApp(t, config);
    return { app, guess: async () => (await login(app, 'victim@example.com', 'wrong password')).statusCode };
  };
  const [first, second] = [await open(), await open()];
  // The minute must not end within the test.
  t.equal(await first.guess(), 401);
  await first.app.db.execute(`update rate_limits set resets_at = now() + interval '1 hour'`);
  const counted: number[] = [];
  for (let index = 0; index < 10; index += 1) counted.push(await (index % 2 ? first : second).guess());
  t.same(counted, [...Array(9).fill(401), 429], 'ten by both together');
  t.equal(await first.guess(), 429);
  t.equal(await second.guess(), 429);
  await Promise.all([first.app.close(), second.app.close()]);
  const restarted = await open();
  t.equal(await restarted.guess(), 429, 'and a restart forgets none');
  await restarted.app.db.execute(`update rate_limits set resets_at = now() - interval '1 second'`);
  t.equal(await restarted.guess(), 401);
});

t.test('RATE_LIMIT=off counts nothing', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'off' });
  for (let index = 0; index < 65; index += 1) {
    t.equal((await login(app, 'nobody@example.com', 'password')).statusCode, 401);
  }
});
