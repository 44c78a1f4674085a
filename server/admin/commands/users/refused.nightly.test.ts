import t from 'tap';
import { create, list, newAccount } from '../../../testing/collections/by-command.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { admin } from '../../../testing/processes.ts';

t.setTimeout(280_000);

t.test('users create refuses what registration refuses, with the same error text', async (t) => {
  const env = { DATABASE_URL: (await createTestDatabase(t)).url };
  const good = newAccount();
  t.equal((await create(t, env, good)).code, 0);
  const wrong: [Partial<ReturnType<typeof newAccount>>, number, RegExp][] = [
    [{ username: 'ab' }, 2, /^The username needs 3 to 32 letters[^\n]*\n$/],
    [{ email: 'nobody' }, 2, /^The email must be a valid address[^\n]*\n$/],
    [{ password: '1234567' }, 2, /^The password needs 8 to 256 characters\.\n$/],
    [{ password: 'PASSWORD' }, 1, /^This password is one of the most common ones[^\n]*\n$/],
    [{ username: 'ownername', password: 'OwnerName' }, 1, /^The password must not be[^\n]*\n$/],
    [{ password: '' }, 2, /^The password needs/],
    [{ password: 'x'.repeat(70_000) }, 1, /too long/],
    [{ username: good.username.toUpperCase() }, 1, /^This username is taken[^\n]*\n$/],
    [{ email: good.email.toUpperCase() }, 1, /^An account with this email exists[^\n]*\n$/],
  ];
  for (const [change, code, message] of wrong) {
    t.match(await create(t, env, { ...newAccount(), ...change }), { code, stdout: '', stderr: message });
  }
  t.equal((await list(t, env)).length, 1);
  for (const password of ['password', good.username]) {
    const args = ['users', 'set-password', good.email, '--password-stdin'];
    t.match(await admin(t, args, env, `${password}\n`), { code: 1, stdout: '', stderr: /Choose another/ });
  }
});

t.test('an unknown account is reported in one line', async (t) => {
  const env = { DATABASE_URL: (await createTestDatabase(t)).url };
  const nobody = { code: 1, stdout: '', stderr: /^There is no account "no\\nbody"[^\n]*\n$/ };
  const name = 'no\nbody';
  t.match(await admin(t, ['users', 'disable', name], env), nobody);
  t.match(await admin(t, ['users', 'enable', name], env), nobody);
  t.match(await admin(t, ['users', 'set-password', name, '--password-stdin'], env, 'long enough'), nobody);
  t.match(await admin(t, ['sessions', 'revoke', '--user', name], env), nobody);
});

t.test('a password cannot be an argument, and without a terminal it is not prompted for', async (t) => {
  const env = { DATABASE_URL: (await createTestDatabase(t)).url };
  const { username, email } = newAccount();
  const args = ['users', 'create', '--username', username, '--email', email];
  t.match(await admin(t, args, env), { code: 2, stderr: /no terminal .*--password-stdin/ });
  t.match(await admin(t, [...args, '--password', 'secret word'], env), { code: 2, stderr: /unknown option/ });
  t.match(await admin(t, ['sessions', 'revoke'], env), { code: 2 });
  t.match(await admin(t, ['sessions', 'revoke', '--all', '--user', 'x'], env), { code: 2 });
  t.same(await list(t, env), []);
});
