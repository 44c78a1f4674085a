import t from 'tap';
import {
  alive,
  create,
  dead,
  type Environment,
  list,
  logIn,
  newAccount,
  post,
} from '../../../testing/collections/by-command.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

t.test('accounts are created, changed and disabled while a server runs', async (t) => {
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
  t.match(
    table.stdout.split('\n')[1],
    new RegExp(`^${rows[0]?.id} +${amira.username} +${amira.email} .* 0 +0 B +user *$`),
  );

  const before = await logIn(server, amira);
  const other = await logIn(server, noor);
  t.same(await before.alive(), alive);
  const changed = { ...amira, password: 'another long password' };
  t.match(
    await admin(
      t,
      ['users', 'set-password', amira.email.toUpperCase(), '--password-stdin', '--end-tokens'],
      env,
      `${changed.password}\n`,
    ),
    {
      code: 0,
      stdout: `The account "${amira.username}" (${amira.email}) has a new password. 1 session ended.\n0 API tokens ended.\n`,
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
    'only a login with the right password reports it',
  );
  t.match((await list(t, env))[0], { disabled_at: /^\d{4}-.*Z$/ });

  t.equal((await admin(t, ['users', 'enable', String(rows[0]?.id)], env)).code, 0);
  t.same(await renewed.alive(), dead, 'ended sessions stay ended');
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
