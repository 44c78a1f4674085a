import t from 'tap';
import { ACTIONS } from '../../audit/actions.ts';
import { eachEntry } from '../../audit/queries.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { setDisabled } from '../queries.ts';
import { createClaim, hasAdmin, setRole } from './queries.ts';

const app = await buildTestApp(t, { registration: 'closed' });

const register = (name: string, claim: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username: name, email: `${name}@example.com`, password: 'rather-a-good-one', claim },
  });
const roles = async () =>
  (await app.db.execute<{ username: string }>("select username from users where role = 'admin'")).map(
    ({ username }) => username,
  );

t.test('of many who use the printed link at once, one becomes the administrator', async (t) => {
  const token = (await createClaim(app.db)) ?? '';
  const other = (await createClaim(app.db)) ?? '';
  t.equal((await register('wrong', 'x'.repeat(43))).statusCode, 403);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => register(`claimant-${at}`, token)));
  const made = answers.filter(({ statusCode }) => statusCode === 201);
  t.equal(made.length, 1);
  t.match(answers.find(({ statusCode }) => statusCode !== 201)?.json(), { code: 'CLAIM_NOT_ACCEPTED' });
  t.same(await roles(), [made[0]?.json().user.username]);
  t.equal((await app.db.execute('select 1 from users')).length, 1, 'the others have no account');
  t.equal((await register('later', other)).statusCode, 403, 'nor does another link work any more');
  t.equal(await createClaim(app.db), undefined);
});

t.test('two administrators who demote, disable or delete each other at once: one stays', async (t) => {
  const changes = [
    (id: string) => setRole(app.db, id, 'user'),
    (id: string) => setDisabled(app.db, id, true),
    (id: string) => app.images.deleteAccount({ id, passwordHash: '' }).catch(() => undefined),
  ];
  for (let round = 0; round < 12; round += 1) {
    const [one, other] = [await signIn(app), await signIn(app)];
    for (const { id } of [one, other]) await setRole(app.db, id, 'admin');
    await app.db.execute(`update users set role = 'user' where id not in ('${one.id}', '${other.id}')`);
    const [first, second] = [changes[round % 3], changes[(round + 1) % 3]];
    const outcomes = await Promise.allSettled([first?.(one.id), second?.(other.id)]);
    t.ok(await hasAdmin(app.db), `round ${round}`);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') t.match(outcome.reason, { code: 'LAST_ADMIN', statusCode: 409 });
    }
  }
});

t.test('an administrator who is the last one cannot delete the own account', async (t) => {
  const account = await signIn(app);
  await setRole(app.db, account.id, 'admin');
  await app.db.execute(`update users set role = 'user' where id <> '${account.id}'`);
  const payload = { password: account.password };
  const answer = await app.inject({ method: 'DELETE', url: '/api/account', headers: account.bearer, payload });
  t.match(answer.json(), { statusCode: 409, code: 'LAST_ADMIN' });
});

t.test('a logged-in account can claim the role too, once', async (t) => {
  const fresh = await buildTestApp(t);
  const account = await signIn(fresh);
  const secret = await createClaim(fresh.db);
  const call = { method: 'POST', url: '/api/auth/claim', headers: account.bearer, payload: { secret } } as const;
  t.equal((await fresh.inject(call)).statusCode, 200);
  t.match((await fresh.inject(call)).json(), { statusCode: 403, code: 'CLAIM_NOT_ACCEPTED' });
  const [row] = await fresh.db.execute('select role from users');
  t.match(row, { role: 'admin' });
});

t.test('SETUP_TOKEN makes one administrator, and has no effect once there is one', async (t) => {
  const setupToken = 'an-operator-chose-this';
  const fresh = await buildTestApp(t, { registration: 'closed', setupToken });
  const post = (path: string, payload: object, headers = {}) =>
    fresh.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers });
  const newcomer = { username: 'first', email: 'first@example.com', password: 'rather-a-good-one' };
  const command = /admin.*users promote NAME$/;
  t.match((await fresh.inject('/api/auth/config')).json(), { setup: { command } });
  t.match((await post('invite', { secret: `${setupToken}x` })).json(), { statusCode: 403 });
  t.match((await post('register', { ...newcomer, claim: `${setupToken}x` })).json(), { code: 'CLAIM_NOT_ACCEPTED' });
  t.match((await post('invite', { secret: setupToken })).json(), { makes_admin: true });
  t.equal((await post('register', { ...newcomer, claim: setupToken })).statusCode, 201);
  t.match(await fresh.db.execute('select username, role from users'), [{ username: 'first', role: 'admin' }]);

  const other = await signIn(fresh);
  t.match((await post('claim', { secret: setupToken }, other.bearer)).json(), { code: 'CLAIM_NOT_ACCEPTED' });
  t.match((await post('invite', { secret: setupToken })).json(), { statusCode: 403 });
  t.match((await fresh.inject('/api/auth/config')).json(), { setup: null });
});

t.test('a logged-in account can claim the role with SETUP_TOKEN', async (t) => {
  const setupToken = 'an-operator-chose-this';
  const fresh = await buildTestApp(t, { setupToken });
  const account = await signIn(fresh);
  const call = { method: 'POST', url: '/api/auth/claim', headers: account.bearer } as const;
  t.equal((await fresh.inject({ ...call, payload: { secret: setupToken } })).statusCode, 200);
  t.match(await fresh.db.execute('select role from users'), [{ role: 'admin' }]);
});

t.test('the printed link has a host only if the server knows it, and is printed at any level of the log', async (t) => {
  for (const [host, publicUrl, link] of [
    ['127.0.0.1', undefined, /open http:\/\/127\.0\.0\.1:\d+\/claim#token=[\w-]{43} \(/],
    ['127.0.0.1', 'https://img.example.com', /open https:\/\/img\.example\.com\/claim#token=[\w-]{43} \(/],
    [
      '0.0.0.0',
      undefined,
      /open \/claim#token=[\w-]{43} at the address of this server, which listens on 0\.0\.0\.0:\d+ \(/,
    ],
  ] as const) {
    const fresh = await buildTestApp(t, {
      ...{ logLevel: 'silent', publicUrl, setupToken: 'an-operator-chose-this' },
      options: { announcesClaim: true },
    });
    const printed = new Promise<string>((resolve) => t.intercept(console, 'error', { value: resolve }));
    await fresh.listen({ host, port: 0 });
    const line = await printed;
    t.match(line, link);
    t.match(line, /enter SETUP_TOKEN at \/setup, or run: .*admin.* users promote NAME$/);
    t.notMatch(line, /an-operator-chose-this/);
  }
});

t.test('guesses of the setup token are limited for each address', async (t) => {
  const fresh = await buildTestApp(t, { setupToken: 'an-operator-chose-this', rateLimit: 'on' });
  const guess = () =>
    fresh.inject({ method: 'POST', url: '/api/auth/invite', payload: { secret: 'a-guess-of-someone' } });
  for (let round = 0; round < 60; round += 1) t.equal((await guess()).statusCode, 403);
  t.equal((await guess()).statusCode, 429);
});

t.test('the audit log has each step, and refuses every change but the cut of old addresses', async (t) => {
  const entries = [];
  for await (const rows of eachEntry(app.db, {})) entries.push(...rows);
  t.ok(entries.some(({ action, address }) => action === 'account.registered' && address === '127.0.0.1'));
  t.ok(entries.every(({ action }) => (ACTIONS as readonly string[]).includes(action)));
  for (const statement of [
    "update audit_log set actor = 'x'",
    'update audit_log set address = null',
    'delete from audit_log',
    'truncate audit_log',
  ]) {
    await t.rejects(app.db.execute(statement), { cause: { message: /only grows/ } }, statement);
  }
});
