import type { FastifyInstance } from 'fastify';
import t from 'tap';
import type { SessionList } from '../../contract.ts';
import { logIn, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

const list = async (app: FastifyInstance, { bearer }: TestAccount) =>
  (await app.inject({ url: '/api/account/sessions', headers: bearer })).json<SessionList>().sessions;

const end = (app: FastifyInstance, { bearer }: TestAccount, id = '') =>
  app.inject({ method: 'DELETE', url: `/api/account/sessions${id && `/${id}`}`, headers: bearer });

const me = async (app: FastifyInstance, { bearer }: TestAccount) =>
  (await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode;

const logInAs = (app: FastifyInstance, { email, password }: TestAccount, agent: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password },
    headers: { 'user-agent': agent },
  });

const app = await buildTestApp(t);

t.test('the list of sessions marks the current one and contains nothing secret', async (t) => {
  const account = await signIn(app);
  const other = await logIn(app, account);
  await signIn(app);
  const mine = await list(app, account);
  t.equal(mine.length, 2, "nobody else's");
  t.equal(mine.filter(({ current }) => current).length, 1);
  t.not(mine.find(({ current }) => current)?.id, (await list(app, other)).find(({ current }) => current)?.id);
  t.same(Object.keys(mine[0] ?? {}).sort(), [
    'browser',
    'created_at',
    'current',
    'id',
    'method',
    'second_factor',
    'seen_at',
    'system',
  ]);
  await app.db.execute(
    `update sessions set expires_at = now() - interval '1 second'
      where user_id = '${account.id}' and id <> '${mine.find(({ current }) => current)?.id}'`,
  );
  t.equal((await list(app, account)).length, 1, 'an expired session is not listed');
});

t.test('a session shows its browser and system by name', async (t) => {
  const account = await signIn(app);
  const agents: [string, string | null, string | null][] = [
    [firefox, 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      'Microsoft Edge',
      'Windows',
    ],
    ['curl/8.5.0', 'curl', null],
    ['<script>alert(1)</script>', null, null],
    [`Mozilla/5.0 ${'x'.repeat(8000)}`, 'Mozilla', null],
    ['', null, null],
  ];
  for (const [agent, browser, system] of agents) {
    t.equal((await logInAs(app, account, agent)).statusCode, 200, agent.slice(0, 40));
    const newest = (await list(app, account)).sort((a, b) => a.id.localeCompare(b.id)).at(-1);
    t.match(newest, { browser, system }, agent.slice(0, 40));
  }
});

t.test('ending one session makes its tokens invalid at once', async (t) => {
  const account = await signIn(app);
  const other = await logIn(app, account);
  const theirs = (await list(app, account)).find(({ current }) => !current)?.id ?? '';
  t.equal((await end(app, account, theirs)).statusCode, 204);
  t.equal(await me(app, other), 401);
  t.equal(await me(app, account), 200);
  t.equal((await end(app, account, theirs)).statusCode, 404, 'the session is gone');
});

t.test("another account's session answers 404", async (t) => {
  const [account, stranger] = [await signIn(app), await signIn(app)];
  const [session] = await list(app, stranger);
  for (const id of [session?.id ?? '', 'none', '..%2f..', "x' or true", '00000000-0000-7000-8000-000000000000']) {
    t.equal((await end(app, account, encodeURIComponent(id))).statusCode, 404, id);
  }
  t.equal(await me(app, stranger), 200);
});

t.test('one call ends all other sessions and keeps this one', async (t) => {
  const [account, stranger] = [await signIn(app), await signIn(app)];
  const others = [await logIn(app, account), await logIn(app, account)];
  t.same((await end(app, account)).json(), { ended: 2 });
  for (const other of others) t.equal(await me(app, other), 401);
  t.equal(await me(app, account), 200);
  t.equal(await me(app, stranger), 200);
});

t.test('a call updates when its session was last used, at most every five minutes', async (t) => {
  const account = await signIn(app);
  const seen = async () => (await list(app, account))[0]?.seen_at ?? '';
  const set = (ago: string) =>
    app.db.execute(`update sessions set seen_at = now() - interval '${ago}' where user_id = '${account.id}'`);
  await set('4 minutes');
  const recently = await seen();
  for (let index = 0; index < 5; index += 1) await me(app, account);
  t.equal(await seen(), recently, 'a call within five minutes writes no row');
  await set('6 minutes');
  await me(app, account);
  await eventually('a newer seen_at', async () => (await seen()) > recently);
});
