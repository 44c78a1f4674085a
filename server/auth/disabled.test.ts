import t from 'tap';
import { parseDatabaseUrl } from '../database/address.ts';
import { openClient } from '../database/client.ts';
import { logIn, signIn } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { hashPassword } from './password/passwords.ts';
import { endSessions, findUser, setDisabled, setPassword } from './queries.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);

t.test('every guarded route refuses a disabled account, and its links still work', async (t) => {
  const account = await signIn(app);
  const uploaded = await postFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const [{ id, url }] = uploaded.json().images;
  t.equal(await setDisabled(app.db, account.id, true), 1);
  for (const headers of [account.bearer, { cookie: account.cookie }]) {
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['GET', '/api/images/'],
      ['DELETE', `/api/images/delete/${id}`],
      ['POST', '/api/images/upload'],
    ] as const) {
      const answer = await app.inject({
        method,
        url: path,
        headers: { ...headers, host: 'gallery.test', origin: 'http://gallery.test' },
      });
      t.equal(answer.statusCode, 401, `${method} ${path}`);
    }
  }
  t.equal((await app.inject({ url: new URL(url).pathname })).statusCode, 200);
});

t.test('a session that remains when its account is disabled is dead', async (t) => {
  const account = await signIn(app);
  await app.db.execute(`update users set disabled_at = now() where id = '${account.id}'`);
  t.equal((await app.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 401);
});

t.test('a login reports a disabled account only with the right password', async (t) => {
  const account = await signIn(app);
  await setDisabled(app.db, account.id, true);
  const login = async (email: string, password: string) => {
    const { statusCode, headers, body } = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password },
    });
    return { statusCode, cookie: headers['set-cookie'], body };
  };
  t.match(await login(account.email, account.password), {
    statusCode: 403,
    cookie: undefined,
    body: /"ACCOUNT_DISABLED"/,
  });
  t.same(await login(account.email, 'wrong'), await login('nobody@example.com', 'wrong'));
  t.equal((await login(account.email, 'wrong')).statusCode, 401);
  await setDisabled(app.db, account.id, false);
  await t.resolves(logIn(app, account));
});

for (const [name, change] of [
  ['another password', `password_hash = 'other'`],
  ['its end', 'disabled_at = now()'],
] as const) {
  t.test(`a login in progress while an account gets ${name} leaves no session`, async (t) => {
    const account = await signIn(app);
    const sql = openClient(parseDatabaseUrl(config.databaseUrl ?? ''), { max: 2 });
    t.teardown(() => sql.end({ timeout: 5 }));
    const waiting = async () => {
      const [row] = await sql`select count(*)::int as number from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.number > 0;
    };
    const login = await sql.begin(async (tx) => {
      await tx.unsafe(`update users set ${change} where id = '${account.id}'`);
      const payload = { email: account.email, password: account.password };
      const answer = app.inject({ method: 'POST', url: '/api/auth/login', payload });
      let over = false;
      const settled = answer.then(() => {
        over = true;
      });
      await eventually('the login waits for the lock or is answered', async () => over || (await waiting()));
      await tx`delete from sessions where user_id = ${account.id}`;
      return { answer, settled };
    });
    t.equal((await login.answer).statusCode, 401);
    t.same([...(await sql`select id from sessions where user_id = ${account.id}`)], []);
  });
}

t.test('a new password ends only the sessions of its account', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const second = await logIn(app, account);
  t.equal(await setPassword(app.db, account.id, await hashPassword('a new password')), 2);
  const status = async ({ bearer }: { bearer: object }) =>
    (await app.inject({ url: '/api/auth/me', headers: { ...bearer } })).statusCode;
  t.same([await status(account), await status(second), await status(other)], [401, 401, 200]);
  await t.resolves(logIn(app, { ...account, password: 'a new password' }));
  const [row] = await app.db.execute('select count(*)::int as sessions from sessions');
  t.equal(await endSessions(app.db), row?.sessions);
  t.equal(await status(other), 401);
});

t.test('an account is found by email, username and id in any case', async (t) => {
  const payload = { username: 'Café', email: 'Amira@Example.com', password: 'a long enough password' };
  const { id } = (await app.inject({ method: 'POST', url: '/api/auth/register', payload })).json().user;
  for (const name of ['amira@EXAMPLE.com', 'CAFE\u0301', 'café', id, id.toUpperCase()]) {
    t.equal((await findUser(app.db, name))?.id, id, name);
  }
  for (const name of ['', 'nobody', 'nobody@example.com', 'nul\0', 'a@\0', id.replaceAll('-', ''), `${id}0`]) {
    t.equal(await findUser(app.db, name), undefined, JSON.stringify(name));
  }
});
