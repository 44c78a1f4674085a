/** `users delete` as a process; the server runs in the test's process. */
import t from 'tap';
import { setDisabled } from '../../../auth/queries.ts';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, testConfig } from '../../../testing/app.ts';
import { images } from '../../../testing/collections/members.ts';
import { storeFiles } from '../../../testing/form.ts';
import { picture } from '../../../testing/pictures.ts';
import { temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin } from '../../../testing/processes.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
const env = { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl ?? '' };

const pathOf = (url = '') => new URL(url).pathname;
const statusOf = async (url: string, headers: Record<string, string> = {}) =>
  (await app.inject({ url, headers })).statusCode;
const me = (headers: Record<string, string>) => statusOf('/api/auth/me', headers);
const isThere = async (id: string) => (await app.db.execute(`select 1 from users where id = '${id}'`)).length === 1;

async function store(account: { bearer: { authorization: string } }, colours: string[]) {
  const files = colours.map(async (colour) => ({ name: 'a.png', bytes: await picture({ colour }) }));
  return (await storeFiles(app, account, await Promise.all(files))).map(({ url }) => pathOf(url));
}

t.test('deleting an account removes its sessions, links and bytes at once, and no other account’s', async (t) => {
  const before = await images(env);
  const [account, other] = [await signIn(app), await signIn(app)];
  const links = await store(account, ['#111', '#222', '#333']);
  const [kept = ''] = await store(other, ['#444']);
  for (const link of [...links, kept]) t.equal(await statusOf(link), 200);
  t.same([await me(account.bearer), await me({ cookie: account.cookie })], [200, 200]);
  await app.db.execute(`insert into ended_links values ('one', '${account.id}'), ('other', '${other.id}')`);

  await app.db.execute(`insert into stable_links (id, owner_id, name) values
    (gen_random_uuid(), '${account.id}', 'one'), (gen_random_uuid(), '${other.id}', 'other')`);

  const done = await admin(t, ['users', 'delete', account.email, '--yes'], env);
  t.match(done, { code: 0, stdout: / and its 3 images \(.+B\) are deleted\.\n$/, stderr: '' });
  t.same([await me(account.bearer), await me({ cookie: account.cookie })], [401, 401]);
  const { email, password } = account;
  const login = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } });
  t.equal(login.statusCode, 401);
  for (const link of links) t.equal(await statusOf(link), 404);
  t.equal(await statusOf(kept), 200);
  t.equal(await me(other.bearer), 200);
  t.equal((await images(env)).length, before.length + 2, 'an original and a thumbnail');
  t.same(await app.db.execute('select * from orphaned_blobs'), []);
  t.same(await app.db.execute('select link_key from ended_links'), [{ link_key: 'other' }]);
  t.same(await app.db.execute('select name from stable_links'), [{ name: 'other' }]);

  t.match(await admin(t, ['users', 'delete', account.email, '--yes'], env), {
    code: 1,
    stderr: /^There is no account/,
  });
});

t.test('a disabled account can be deleted', async (t) => {
  const { id } = await signIn(app);
  await setDisabled(app.db, id, true);
  t.match(await admin(t, ['users', 'delete', id, '--yes'], env), { code: 0, stdout: / are deleted\.\n$/ });
  t.notOk(await isThere(id));
});

t.test('without a terminal, deletion requires --yes', async (t) => {
  const { id, email, bearer } = await signIn(app);
  const refused = await admin(t, ['users', 'delete', email], env, `${email.split('@')[0]}\n`);
  t.match(refused, { code: 2, stderr: /no terminal .*--yes/ });
  t.equal(await me(bearer), 200);
  t.ok(await isThere(id));
});

t.test('an account is not deleted if the storage belongs to another database', async (t) => {
  const account = await signIn(app);
  await store(account, ['#555']);
  const before = await images(env);
  const elsewhere = { ...env, DATA_DIR: temporaryFolder(t) };
  const refused = await admin(t, ['users', 'delete', account.id, '--yes'], elsewhere);
  t.match(refused, { code: 1, stderr: /^DATA_DIR: [^\n]*\n$/ });
  t.ok(await isThere(account.id));
  t.same(await images(env), before);
});
