import t from 'tap';
import { query, temporaryFolder } from '../testing/embedded.ts';
import { images, register, start, statusOf, upload } from '../testing/members.ts';
import { admin } from '../testing/processes.ts';

t.test('a deleted account, its sessions, its links and its bytes are gone at once, and nobody else’s', async (t) => {
  const { env, server } = await start(t);
  const [account, other] = [await register(server), await register(server)];
  const links = await upload(server, account, ['#111', '#222', '#333']);
  const [kept = ''] = await upload(server, other, ['#444']);
  const me = `${server.origin}/api/auth/me`;
  t.same([await statusOf(me, account.bearer), await statusOf(me, account.cookie)], [200, 200]);

  const done = await admin(t, ['users', 'delete', account.username, '--yes'], env);
  t.match(done, { code: 0, stdout: / and its 3 images \(.+B\) are deleted\.\n$/, stderr: '' });
  t.same([await statusOf(me, account.bearer), await statusOf(me, account.cookie)], [401, 401]);
  t.equal((await account.login()).status, 401);
  for (const link of links) t.equal(await statusOf(link), 404);
  t.equal(await statusOf(kept), 200);
  t.equal(await statusOf(me, other.bearer), 200);
  t.equal((await images(env)).length, 2, 'an original and a thumbnail');
  t.same(await query(env.DATABASE_URL, 'select * from loose_bytes'), []);

  t.match(await admin(t, ['users', 'delete', account.username, '--yes'], env), {
    code: 1,
    stderr: /^There is no account/,
  });
  t.equal(await server.stop(), 0);
});

t.test('a disabled account can be deleted', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  t.equal((await admin(t, ['users', 'disable', account.username], env)).code, 0);
  t.match(await admin(t, ['users', 'delete', account.username, '--yes'], env), {
    code: 0,
    stdout: / are deleted\.\n$/,
  });
  t.same(await query(env.DATABASE_URL, 'select id from users'), []);
});

t.test('without a terminal nothing is deleted unless it was said that nobody need be asked', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  const refused = await admin(t, ['users', 'delete', account.username], env, `${account.username}\n`);
  t.match(refused, { code: 2, stderr: /no terminal .*--yes/ });
  t.equal(await statusOf(`${server.origin}/api/auth/me`, account.bearer), 200);
});

t.test('a storage of another database is not touched, and the account stays', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  await upload(server, account, ['#111']);
  t.equal(await server.stop(), 0);
  const elsewhere = { ...env, DATA_DIR: temporaryFolder(t) };
  const refused = await admin(t, ['users', 'delete', account.id, '--yes'], elsewhere);
  t.match(refused, { code: 1, stderr: /^DATA_DIR: [^\n]*\n$/ });
  t.equal((await query(env.DATABASE_URL, 'select id from users')).length, 1);
  t.equal((await images(env)).length, 2);
});
