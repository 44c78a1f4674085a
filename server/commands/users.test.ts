import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../testing/database.ts';
import { temporaryFolder } from '../testing/embedded.ts';
import { admin, type Server, startServer } from '../testing/processes.ts';

t.setTimeout(280_000);

type Environment = Record<string, string>;
type Account = { username: string; email: string; password: string };

const newAccount = (): Account => {
  const username = `user-${randomBytes(6).toString('hex')}`;
  return { username, email: `${username}@example.com`, password: 'a long enough password' };
};

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const create = (t: Test, env: Environment, { username, email, password }: Account, more: string[] = []) =>
  admin(t, ['users', 'create', '--username', username, '--email', email, '--password-stdin', ...more], env, password);

/** A session of the account: what the server says to its bearer token, and to its cookie. */
async function logIn({ origin }: Server, { email, password }: Account) {
  const answer = await post(`${origin}/api/auth/login`, { email, password });
  const { access_token: token, code } = (await answer.json()) as { access_token?: string; code?: string };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const me = async (headers: Record<string, string>) => (await fetch(`${origin}/api/auth/me`, { headers })).status;
  return {
    status: answer.status,
    code,
    alive: async () => [await me({ authorization: `Bearer ${token}` }), await me({ cookie })],
  };
}

async function list(t: Test, env: Environment): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await admin(t, ['users', 'list', '--json'], env);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const alive = [200, 200];
const dead = [401, 401];

t.test('accounts are made, changed and disabled beside a running server', async (t) => {
  const { url } = await createTestDatabase(t);
  const env: Environment = { DATA_DIR: temporaryFolder(t), DATABASE_URL: url, REGISTRATION: 'closed' };
  const [amira, noor] = [newAccount(), newAccount()];
  const made = await create(t, env, amira);
  t.match(made, {
    code: 0,
    stdout: `The account "${amira.username}" (${amira.email}) is made; its id is `,
    stderr: '',
  });

  const server = await startServer(t, env);
  t.equal((await post(`${server.origin}/api/auth/register`, noor)).status, 403, 'registration is closed');
  t.equal((await create(t, env, noor)).code, 0);
  const rows = await list(t, env);
  t.match(rows, [
    { username: amira.username, email: amira.email, images: 0, bytes: 0, disabled_at: null },
    { username: noor.username, email: noor.email },
  ]);
  const table = await admin(t, ['users', 'list'], env);
  t.match(table.stdout.split('\n')[1], new RegExp(`^${rows[0]?.id} +${amira.username} +${amira.email} .* 0 +0 B$`));

  const before = await logIn(server, amira);
  const other = await logIn(server, noor);
  t.same(await before.alive(), alive);
  const changed = { ...amira, password: 'another long password' };
  t.match(
    await admin(
      t,
      ['users', 'set-password', amira.email.toUpperCase(), '--password-stdin'],
      env,
      `${changed.password}\n`,
    ),
    {
      code: 0,
      stdout: `The account "${amira.username}" (${amira.email}) has a new password. 1 session ended.\n`,
    },
  );
  t.same(await before.alive(), dead);
  t.same(await other.alive(), alive);
  t.equal((await logIn(server, amira)).status, 401, 'the old password');

  const renewed = await logIn(server, changed);
  t.same(await renewed.alive(), alive);
  t.equal((await admin(t, ['users', 'disable', amira.username], env)).code, 0);
  t.same(await renewed.alive(), dead);
  t.match(await logIn(server, changed), { status: 403, code: 'ACCOUNT_DISABLED' });
  t.match(
    await logIn(server, amira),
    { status: 401, code: 'WRONG_CREDENTIALS' },
    'only who knows the password is told',
  );
  t.match((await list(t, env))[0], { disabled_at: /^\d{4}-.*Z$/ });

  t.equal((await admin(t, ['users', 'enable', String(rows[0]?.id)], env)).code, 0);
  t.same(await renewed.alive(), dead, 'what ended stays ended');
  const again = await logIn(server, changed);
  t.same(await again.alive(), alive);

  t.match(await admin(t, ['sessions', 'revoke', '--user', amira.username], env), {
    code: 0,
    stdout: /1 session ended/,
  });
  t.same(await again.alive(), dead);
  t.same(await other.alive(), alive);
  t.match(await admin(t, ['sessions', 'revoke', '--all'], env), { code: 0, stdout: '1 session ended.\n' });
  t.same(await other.alive(), dead);
  t.equal(await server.stop(), 0);
});

t.test('on the embedded database, accounts are made before and beside a running server', async (t) => {
  const env: Environment = { DATA_DIR: temporaryFolder(t), REGISTRATION: 'closed' };
  const [amira, noor] = [newAccount(), newAccount()];
  t.equal((await admin(t, ['migrate'], env)).code, 0);
  t.equal((await create(t, env, amira)).code, 0);
  const server = await startServer(t, env);
  t.equal((await create(t, env, noor)).code, 0);
  const [session, other] = [await logIn(server, amira), await logIn(server, noor)];
  t.equal((await admin(t, ['users', 'disable', amira.username], env)).code, 0);
  t.same(await session.alive(), dead);
  t.same(await other.alive(), alive);
  t.equal(await server.stop(), 0);
  const rows = await list(t, env);
  t.match(rows, [
    { username: amira.username, disabled_at: /Z$/ },
    { username: noor.username, disabled_at: null },
  ]);
});

t.test('what registration refuses is refused in its words, and makes no account', async (t) => {
  const env = { DATABASE_URL: (await createTestDatabase(t)).url };
  const good = newAccount();
  t.equal((await create(t, env, good)).code, 0);
  const wrong: [Partial<Account>, number, RegExp][] = [
    [{ username: 'ab' }, 2, /^The username needs 3 to 32 letters[^\n]*\n$/],
    [{ email: 'nobody' }, 2, /^The email must be a valid address[^\n]*\n$/],
    [{ password: '1234567' }, 2, /^The password needs 8 to 256 characters\.\n$/],
    [{ password: '' }, 2, /^The password needs/],
    [{ password: 'x'.repeat(70_000) }, 1, /too long/],
    [{ username: good.username.toUpperCase() }, 1, /^This username is taken[^\n]*\n$/],
    [{ email: good.email.toUpperCase() }, 1, /^An account with this email exists[^\n]*\n$/],
  ];
  for (const [change, code, message] of wrong) {
    t.match(await create(t, env, { ...newAccount(), ...change }), { code, stdout: '', stderr: message });
  }
  t.equal((await list(t, env)).length, 1);
});

t.test('an account that is not there is told in one line', async (t) => {
  const env = { DATABASE_URL: (await createTestDatabase(t)).url };
  const nobody = { code: 1, stdout: '', stderr: /^There is no account "no\\nbody"[^\n]*\n$/ };
  const name = 'no\nbody';
  t.match(await admin(t, ['users', 'disable', name], env), nobody);
  t.match(await admin(t, ['users', 'enable', name], env), nobody);
  t.match(await admin(t, ['users', 'set-password', name, '--password-stdin'], env, 'long enough'), nobody);
  t.match(await admin(t, ['sessions', 'revoke', '--user', name], env), nobody);
});

t.test('a password is never an argument, and without a terminal is asked for nowhere', async (t) => {
  const env = { DATABASE_URL: (await createTestDatabase(t)).url };
  const { username, email } = newAccount();
  const words = ['users', 'create', '--username', username, '--email', email];
  t.match(await admin(t, words, env), { code: 2, stderr: /no terminal .*--password-stdin/ });
  t.match(await admin(t, [...words, '--password', 'secret word'], env), { code: 2, stderr: /unknown option/ });
  t.match(await admin(t, ['sessions', 'revoke'], env), { code: 2 });
  t.match(await admin(t, ['sessions', 'revoke', '--all', '--user', 'x'], env), { code: 2 });
  t.same(await list(t, env), []);
});
