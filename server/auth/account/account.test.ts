import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { UNOWNED } from '../../database/process-registry.ts';
import { deleteAccount } from '../../images/deletion/queries.ts';
import { logIn, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { countsHold, rowsOf } from '../../testing/collections/collection.ts';
import { storedFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { waitingForLocks } from '../../testing/waiting.ts';
import { findUserByEmail } from '../queries.ts';
import { changeNames } from './queries.ts';

type Call = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path?: string; payload?: object };

const call = (app: FastifyInstance, { bearer }: Pick<TestAccount, 'bearer'>, { method, path = '', payload }: Call) =>
  app.inject({ method, url: `/api/account${path}`, headers: bearer, ...(payload ? { payload } : {}) });

const me = async (app: FastifyInstance, { bearer }: Pick<TestAccount, 'bearer'>) =>
  (await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode;

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process, with rate limits. */
const second = await buildTestApp(t, { ...config, rateLimit: 'on' });

const nameOf = ({ email }: TestAccount) => email.split('@')[0] ?? '';

t.test('every account route requires a session', async (t) => {
  const calls: Call[] = [
    { method: 'PATCH', payload: { username: 'somebody' } },
    { method: 'POST', path: '/password', payload: { current_password: 'x', new_password: 'a new password' } },
    { method: 'DELETE', payload: { password: 'x' } },
    { method: 'GET', path: '/sessions' },
    { method: 'DELETE', path: '/sessions' },
    { method: 'DELETE', path: '/sessions/00000000-0000-7000-8000-000000000000' },
  ];
  for (const one of calls) {
    const answer = await call(app, { bearer: { authorization: 'Bearer nonsense' } }, one);
    t.equal(answer.statusCode, 401, `${one.method} ${one.path ?? ''}`);
  }
});

t.test('a request from another site with only a cookie changes nothing', async (t) => {
  const account = await signIn(app);
  const headers = { cookie: account.cookie, host: 'img.example.com', origin: 'https://evil.example' };
  const payload = { password: account.password };
  const answer = await app.inject({ method: 'DELETE', url: '/api/account', headers, payload });
  t.equal(answer.statusCode, 403);
  t.equal(answer.json().code, 'FOREIGN_ORIGIN');
  t.equal(await me(app, account), 200);
});

t.test('a new username is stored as given, and the old one becomes free', async (t) => {
  const account = await signIn(app);
  const answer = await call(app, account, { method: 'PATCH', payload: { username: 'Nádia' } });
  t.equal(answer.statusCode, 200);
  t.match(answer.json().user, { id: account.id, username: 'Nádia', email: account.email });
  const payload = { username: nameOf(account), email: 'other@example.com', password: 'a long enough password' };
  const registered = await app.inject({ method: 'POST', url: '/api/auth/register', payload });
  t.equal(registered.statusCode, 201);
});

t.test('changing the email requires the password and changes the login', async (t) => {
  const account = await signIn(app);
  const email = `New.${account.email}`;
  const change = (more: object) => call(app, account, { method: 'PATCH', payload: { email, ...more } });
  const without = await change({});
  t.equal(without.statusCode, 403);
  t.equal(without.json().code, 'PASSWORD_NEEDED');
  const wrong = await change({ password: 'not my password' });
  t.equal(wrong.statusCode, 403);
  t.equal(wrong.json().code, 'WRONG_PASSWORD');
  t.equal(
    (await call(app, account, { method: 'PATCH', payload: { email: account.email } })).statusCode,
    200,
    'the same',
  );
  const other = await logIn(app, account);
  const changed = (await change({ password: account.password })).json();
  t.equal(changed.user.email, email);
  await t.rejects(logIn(app, account), 'the old email no longer logs in');
  await t.resolves(logIn(app, { ...account, email: email.toLowerCase() }));
  t.equal(await me(app, account), 401, 'a copied token of this session is dead');
  t.equal(await me(app, { bearer: { authorization: `Bearer ${changed.access_token}` } }), 200, 'the new token works');
  t.equal(await me(app, other), 200, 'other sessions stay alive');
});

t.test('a taken name or email is refused, and nothing changes', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const { password } = account;
  const taken = [
    [{ username: nameOf(other).toUpperCase(), email: `new-${account.email}`, password }, 'USERNAME_TAKEN'],
    [{ username: 'new-name', email: other.email.toUpperCase(), password }, 'EMAIL_TAKEN'],
  ] as const;
  for (const [payload, code] of taken) {
    const answer = await call(app, account, { method: 'PATCH', payload });
    t.equal(answer.statusCode, 409);
    t.equal(answer.json().code, code);
  }
  const { user } = (await app.inject({ url: '/api/auth/me', headers: account.bearer })).json();
  t.match(user, { username: nameOf(account), email: account.email });
});

t.test("an invalid field is refused with the registration's error text", async (t) => {
  const account = await signIn(app);
  const wrong: [Call, RegExp][] = [
    [{ method: 'PATCH', payload: { username: 'a b' } }, /username/],
    [{ method: 'PATCH', payload: { username: null } }, /username/],
    [{ method: 'PATCH', payload: { email: 'nobody', password: account.password } }, /email/],
    [{ method: 'PATCH', payload: [] }, /JSON object/],
    [
      { method: 'POST', path: '/password', payload: { current_password: account.password, new_password: 'short' } },
      /password needs 8/,
    ],
    [
      { method: 'POST', path: '/password', payload: { new_password: 'a new password' } },
      /"current_password" is missing/,
    ],
    [{ method: 'DELETE' }, /JSON object|empty/],
    [{ method: 'DELETE', payload: { password: 7 } }, /password/],
  ];
  for (const [one, message] of wrong) {
    const answer = await call(app, account, one);
    t.equal(answer.statusCode, 400, JSON.stringify(one));
    t.match(answer.json().message, message);
  }
  t.equal(await me(app, account), 200);
});

const newPassword = { method: 'POST', path: '/password' } as const;

t.test('a new password ends every session and copied tokens, and this browser gets new tokens', async (t) => {
  const account = await signIn(app);
  const [other, stranger] = [await logIn(app, account), await signIn(app)];
  const change = (current_password: string) =>
    call(app, account, { ...newPassword, payload: { current_password, new_password: 'a new password' } });
  const wrong = await change('not my password');
  t.equal(wrong.statusCode, 403);
  t.equal(wrong.json().code, 'WRONG_PASSWORD');
  t.equal(await me(app, other), 200, 'a refused change ends no session');
  // Both processes have now verified, and cached, the copied tokens.
  for (const session of [account, other]) t.equal(await me(second, session), 200);

  const changed = await change(account.password);
  t.equal(changed.statusCode, 200);
  const { ended, access_token } = changed.json();
  t.equal(ended, 1, 'one other session ended');
  const [cookie] = changed.cookies;
  t.match(cookie, { httpOnly: true, sameSite: 'Lax' });
  const byCookie = (server: FastifyInstance, value: string) =>
    server.inject({ url: '/api/auth/me', headers: { cookie: value } });
  for (const server of [app, second]) {
    for (const { bearer, cookie: copied } of [account, other]) {
      t.equal(await me(server, { bearer }), 401, 'a copied bearer');
      t.equal((await byCookie(server, copied)).statusCode, 401, 'a copied cookie');
    }
    t.equal(await me(server, { bearer: { authorization: `Bearer ${access_token}` } }), 200, 'the new bearer');
    const { user } = (await byCookie(server, `${cookie?.name}=${cookie?.value}`)).json();
    t.equal(user?.id, account.id, 'the new cookie');
  }
  t.equal(await me(app, stranger), 200, "nobody else's");
  await t.rejects(logIn(app, account));
  await t.resolves(logIn(app, { ...account, password: 'a new password' }));
});

t.test('one of two concurrent changes of the same password succeeds', async (t) => {
  const account = await signIn(app);
  const change = (new_password: string) =>
    call(app, account, {
      method: 'POST',
      path: '/password',
      payload: { current_password: account.password, new_password },
    });
  const passwords = ['first password', 'second password'];
  const changes = await app.db.transaction(async (tx) => {
    await tx.execute(`select 1 from users where id = '${account.id}' for update`);
    const begun = passwords.map(change);
    await eventually('both have compared the password', async () => (await waitingForLocks(app.db)) === 2);
    return begun;
  });
  const statuses = (await Promise.all(changes)).map(({ statusCode }) => statusCode);
  t.same([...statuses].sort(), [200, 403]);
  const winner = passwords[statuses.indexOf(200)] ?? '';
  await t.resolves(logIn(app, { ...account, password: winner }));
});

t.test('password guesses with a stolen session count together with login failures', async (t) => {
  const account = await signIn(second);
  const guesses: Call[] = [
    { method: 'POST', path: '/password', payload: { current_password: 'wrong', new_password: 'a new password' } },
    { method: 'DELETE', payload: { password: 'wrong' } },
    { method: 'PATCH', payload: { email: 'thief@example.com', password: 'wrong' } },
  ];
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const guess = guesses[index % guesses.length];
    if (guess) statuses.push((await call(second, account, guess)).statusCode);
    await second.db.execute(`update rate_limits set resets_at = now() + interval '1 hour'`);
  }
  t.same(statuses, [...Array(10).fill(403), 429, 429]);
  const login = { method: 'POST', url: '/api/auth/login', payload: account } as const;
  t.equal((await second.inject(login)).statusCode, 429, 'the right password is refused too');
  t.equal((await findUserByEmail(second.db, account.email))?.id, account.id, 'no guess changed or deleted the account');
});

t.test('deleting an account requires its password', async (t) => {
  const account = await signIn(app);
  const answer = await call(app, account, { method: 'DELETE', payload: { password: 'not my password' } });
  t.equal(answer.statusCode, 403);
  t.equal(answer.json().code, 'WRONG_PASSWORD');
  t.equal(await me(app, account), 200);
});

t.test("deleting an account removes its sessions, images and bytes, and no other account's", async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const second = await logIn(app, account);
  const bytes = await picture({ colour: 'teal' });
  const mine = await storeFiles(app, account, [
    { name: 'a.png', bytes },
    { name: 'again.png', bytes },
    { name: 'b.png', bytes: await picture({ colour: 'red' }) },
  ]);
  const [theirs] = await storeFiles(app, other, [{ name: 'a.png', bytes }]);
  const statusOf = async (url = '') => (await app.inject({ url: new URL(url).pathname })).statusCode;
  // The links are cached by now.
  for (const { url, thumbnail_url } of mine) t.same([await statusOf(url), await statusOf(thumbnail_url)], [200, 200]);

  const answer = await call(app, account, { method: 'DELETE', payload: { password: account.password } });
  t.equal(answer.statusCode, 204);
  t.match(answer.headers['set-cookie'], /^session=;.*(Expires|Max-Age=0)/);
  for (const { url, thumbnail_url } of mine) t.same([await statusOf(url), await statusOf(thumbnail_url)], [404, 404]);
  t.equal(await statusOf(theirs?.url), 200);
  for (const session of [account, second]) t.equal(await me(app, session), 401);
  await t.rejects(logIn(app, account));
  const names = await app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { ...account, username: nameOf(account) },
  });
  t.equal(names.statusCode, 201, 'its username and email are free');
});

t.test('the bytes of a deleted account are removed, those of other accounts stay', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const bytes = await picture();
  await storeFiles(app, other, [{ name: 'a.png', bytes }]);
  const rows = () => rowsOf(config.databaseUrl ?? '');
  const isSwept = async () => (await rows()).orphaned === 0;
  await eventually('the sweep of what others deleted', isSwept);
  const [before, { images }] = [await storedFiles(config.dataDir), await rows()];
  await storeFiles(app, account, [
    { name: 'a.png', bytes },
    { name: 'b.png', bytes: await picture({ colour: 'red' }) },
  ]);
  await call(app, account, { method: 'DELETE', payload: { password: account.password } });
  await eventually("the sweep of the deleted account's bytes", isSwept);
  t.same(await rows(), { images, orphaned: 0 });
  t.same(await storedFiles(config.dataDir), before);
  t.ok(await countsHold(config.databaseUrl ?? ''));
});

t.test('an account whose rows cannot be deleted stays whole', async (t) => {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  await app.db.execute(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no account goes'; end $$`);
  await app.db.execute(`create trigger refuse before delete on users for each row when (old.id = '${account.id}')
    execute function refuse()`);
  const answer = await call(app, account, { method: 'DELETE', payload: { password: account.password } });
  t.equal(answer.statusCode, 500);
  t.equal(await me(app, account), 200);
  await app.sweeps.run();
  t.equal((await app.inject({ url: new URL(image?.url ?? '').pathname })).statusCode, 200, 'its links still work');
});

t.test('a change confirmed with a password that was replaced meanwhile is refused', async (t) => {
  const account = await signIn(app);
  const before = await findUserByEmail(app.db, account.email);
  if (!before) throw new Error('no account');
  const change = { current_password: account.password, new_password: 'another long password' };
  t.equal((await call(app, account, { method: 'POST', path: '/password', payload: change })).statusCode, 200);
  t.equal(await changeNames(app.db, account.id, { email: 'thief@example.com' }, before), undefined);
  t.equal(await deleteAccount(app.db, before, UNOWNED), undefined);
  t.ok(await findUserByEmail(app.db, account.email), 'the account is unchanged');
  const now = await findUserByEmail(app.db, account.email);
  t.match(now && (await deleteAccount(app.db, now, UNOWNED)), { images: 0 });
});

t.test('an account has at most two hundred sessions; the least recently used one ends', async (t) => {
  const account = await signIn(app);
  await app.db.execute(sql`
    insert into sessions (id, user_id, created_at, expires_at, seen_at)
    select gen_random_uuid(), ${account.id}, now(), now() + interval '1 hour', now() - n * interval '1 minute'
    from generate_series(1, 210) n`);
  const newest = await logIn(app, account);
  const { sessions } = (await call(app, newest, { method: 'GET', path: '/sessions' })).json();
  t.equal(sessions.length, 200);
  t.equal(await me(app, account), 200, 'the session in use stays');
});

t.test(
  'an account without a password deletes itself and changes its email with a fresh proof, and only its own',
  async (t) => {
    const [account, other] = [await signIn(app), await signIn(app)];
    await app.db.execute(`update users set password_hash = null where id = '${account.id}'`);
    const call = (method: 'PATCH' | 'DELETE', payload: object, headers = account.bearer) =>
      app.inject({ method, url: '/api/account', headers, payload });
    const prove = async (headers: TestAccount['bearer'], payload: object) =>
      (await app.inject({ method: 'POST', url: '/api/account/proof', headers, payload })).json().proof;
    t.equal((await call('DELETE', {})).statusCode, 400);
    t.match((await call('DELETE', { password: '' })).json(), { code: 'WRONG_PASSWORD' });
    const foreign = await prove(other.bearer, { password: other.password });
    t.match((await call('DELETE', { proof: foreign })).json(), { statusCode: 403, code: 'PROOF_NEEDED' });
    await app.db.execute(`update sessions set method = 'provider' where user_id = '${account.id}'`);
    const proof = await prove(account.bearer, {});
    const changed = await call('PATCH', { email: `new-${account.email}`, proof });
    t.match(changed.json(), { user: { email: `new-${account.email}` } });
    const bearer = { authorization: `Bearer ${changed.json().access_token}` };
    t.match(
      (await call('DELETE', { proof }, bearer)).json(),
      { code: 'PROOF_NEEDED' },
      'the proof is of the ended session',
    );
    const again = await prove(bearer, {});
    t.equal((await call('DELETE', { proof: again }, bearer)).statusCode, 204);
    t.same(await app.db.execute(`select 1 from users where id = '${account.id}'`), []);
  },
);
