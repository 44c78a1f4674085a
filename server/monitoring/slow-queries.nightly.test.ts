/** SLOW_QUERY in the log of a complete server. */
import t, { type Test } from 'tap';
import { newAccount, post } from '../testing/collections/by-command.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { startServer } from '../testing/processes.ts';

t.setTimeout(120_000);

type Line = { msg: string; query?: string; reqId?: string; ms?: number };

async function logOf(t: Test, environment: Record<string, string>) {
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  const server = await startServer(t, { ...env, TRUST_PROXY: '127.0.0.1', ...environment });
  const account = newAccount();
  t.equal((await post(`${server.origin}/api/auth/register`, account)).status, 201);
  const login = (await (await post(`${server.origin}/api/auth/login`, account)).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${login.access_token}`, 'x-request-id': 'asked-by-the-proxy' };
  const list = await fetch(`${server.origin}/api/images/?search=private`, { headers });
  t.equal(list.headers.get('x-request-id'), 'asked-by-the-proxy');
  t.equal(await server.stop(), 0);
  const text = server.stdout();
  const lines = text.split('\n').flatMap((line): Line[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return { text, account, token: login.access_token, lines };
}

t.test('a slow query is logged with its text, time and request id, without values', async (t) => {
  const { text, account, token, lines } = await logOf(t, { SLOW_QUERY: '0.001ms' });
  const slow = lines.filter(({ msg }) => msg === 'a slow query');
  const ofList = slow.filter(({ reqId }) => reqId === 'asked-by-the-proxy');
  t.ok(
    ofList.some(({ query }) => /from images/i.test(query ?? '')),
    'a query of the list',
  );
  t.ok(
    ofList.some(({ query }) => /sessions/i.test(query ?? '')),
    'a query of the guard',
  );
  t.ok(
    slow.some(({ query, reqId }) => /^insert into "users"/.test(query ?? '') && reqId),
    'also after a body was read',
  );
  t.ok(slow.every(({ query, ms }) => query && query.length <= 2000 && typeof ms === 'number'));
  const answered = lines.filter(({ msg }) => msg === 'answered');
  t.ok(answered.some(({ reqId }) => reqId === 'asked-by-the-proxy'));
  for (const secret of [account.email, account.username, account.password, token, 'private']) {
    t.notOk(text.includes(secret), secret);
  }
});

t.test('with SLOW_QUERY=off no query is logged', async (t) => {
  const { lines } = await logOf(t, { SLOW_QUERY: 'off' });
  t.ok(lines.some(({ msg }) => msg === 'answered'));
  t.notOk(lines.some(({ msg }) => msg === 'a slow query'));
});
