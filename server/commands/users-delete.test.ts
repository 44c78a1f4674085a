import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../testing/database.ts';
import { storedFiles } from '../testing/disk.ts';
import { query, temporaryFolder } from '../testing/embedded.ts';
import { form } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { admin, type Server, startProcess, startServer } from '../testing/processes.ts';
import { until } from '../testing/socket.ts';

t.setTimeout(280_000);

type Account = Awaited<ReturnType<typeof register>>;

async function register({ origin }: Server) {
  const username = `user-${randomBytes(6).toString('hex')}`;
  const body = JSON.stringify({ username, email: `${username}@example.com`, password: 'a long enough password' });
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  await fetch(`${origin}/api/auth/register`, json);
  const login = () => fetch(`${origin}/api/auth/login`, json);
  const answer = await login();
  const { access_token: token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { id: user.id, username, login, bearer: { authorization: `Bearer ${token}` }, cookie: { cookie } };
}

async function upload({ origin }: Server, { bearer }: Account, colours: string[]): Promise<string[]> {
  const files = await Promise.all(colours.map(async (colour) => ({ name: 'a.png', bytes: await picture({ colour }) })));
  const { headers, payload: body } = await form(files);
  const answer = await fetch(`${origin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, ...bearer },
    body,
  });
  const { images } = (await answer.json()) as { images: { url: string }[] };
  return images.map(({ url }) => url);
}

async function start(t: Test) {
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  return { env, server: await startServer(t, env) };
}

const images = async (env: { DATA_DIR: string }) =>
  (await storedFiles(env.DATA_DIR)).filter((file) => /^(originals|thumbnails|screens)\//.test(file));
const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

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

t.test('without a terminal nothing is deleted unless it was said that nobody need be asked', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  const refused = await admin(t, ['users', 'delete', account.username], env, `${account.username}\n`);
  t.match(refused, { code: 2, stderr: /no terminal .*--yes/ });
  t.equal(await statusOf(`${server.origin}/api/auth/me`, account.bearer), 200);
});

t.test('bytes that cannot be removed are told, and removed by a server later', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  await upload(server, account, ['#111', '#222']);
  t.equal(await server.stop(), 0);
  const [original = ''] = (await images(env)).filter((file) => file.startsWith('originals/'));
  const place = join(env.DATA_DIR, 'files', original);
  await rm(place);
  await mkdir(join(place, 'not-a-file'), { recursive: true });
  const failed = await admin(t, ['users', 'delete', account.id, '--yes'], env);
  t.match(failed, {
    code: 1,
    stdout: '',
    stderr: /is deleted, but the files of 1 of its 2 images are not removed yet/,
  });
  t.same(await query(env.DATABASE_URL, 'select count(*)::int as number from loose_bytes'), [{ number: 1 }]);
  await rm(place, { recursive: true });
  await writeFile(place, 'the bytes');
  await startServer(t, env);
  await until(async () => (await query(env.DATABASE_URL, 'select * from loose_bytes')).length === 0);
  t.same(await images(env), []);
});

t.test('a deletion killed between the rows and the bytes is finished by the next server', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  await upload(server, account, ['#111', '#222']);
  t.equal(await server.stop(), 0);
  // Rows without files come first by their ids, so that it is killed before it comes to the real ones.
  await query(
    env.DATABASE_URL,
    `insert into images select made.* from (select * from images limit 1) i, generate_series(1, 3000) n,
       jsonb_populate_record(null::images, to_jsonb(i) || jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), 'link_key', n::text)) made`,
  );
  const before = await images(env);
  t.equal(before.length, 4);
  const { child, ended } = startProcess(t, 'commands/admin.js', ['users', 'delete', account.id, '--yes'], env);
  await until(async () => (await query(env.DATABASE_URL, 'select id from users')).length === 0);
  child.kill('SIGKILL');
  t.equal(await ended, null);
  t.same(await images(env), before);
  t.same(await query(env.DATABASE_URL, 'select id from images'), []);
  await startServer(t, env);
  await until(async () => (await query(env.DATABASE_URL, 'select image_id from loose_bytes')).length === 0);
  t.same(await images(env), []);
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
