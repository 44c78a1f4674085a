/** New links for pictures and albums while servers run. */
import t from 'tap';
import { parseDatabaseUrl } from '../../database/address.ts';
import { openClient } from '../../database/client.ts';
import { images, register, start, statusOf, upload, uploadImages } from '../../testing/collections/members.ts';
import { eventually } from '../../testing/eventually.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { admin, type Server, startProcess, startServer } from '../../testing/processes.ts';

t.setTimeout(280_000);

type Account = Awaited<ReturnType<typeof register>>;
type Listed = { id: string; url: string; thumbnail_url: string };

async function list({ origin }: Server, { bearer }: Account): Promise<Listed[]> {
  const answer = await fetch(`${origin}/api/images/`, { headers: bearer });
  return ((await answer.json()) as { images: Listed[] }).images;
}

/** Creates a public album and a share of all the account's pictures. @returns their addresses */
async function shared({ origin }: Server, { bearer }: Account, ids: string[]): Promise<string[]> {
  const post = async (path: string, body?: object) => {
    const headers = body ? { ...bearer, 'content-type': 'application/json' } : bearer;
    const answer = await fetch(origin + path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as { album: { id: string }; url: string; share: { url: string } };
  };
  const { album } = await post('/api/albums', { name: 'Shared' });
  await post(`/api/albums/${album.id}/images`, { ids });
  const { share } = await post('/api/shares', { name: 'Shared', images: ids });
  return [(await post(`/api/albums/${album.id}/link`)).url, share.url];
}

const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
/** The same path on another server. */
const at = ({ origin }: Server, url: string) => origin + new URL(url).pathname;

t.test('after a renewal, old links answer 404 on every running server, other accounts’ links do not', async (t) => {
  const { env, server } = await start(t);
  const second = await startServer(t, env);
  const [account, other] = [await register(server), await register(server)];
  await upload(server, account, ['#111', '#222', '#333']);
  const [foreign = ''] = await upload(server, other, ['#444']);
  const before = await list(server, account);
  const pages = await shared(
    server,
    account,
    before.map(({ id }) => id),
  );
  const links = [...before.flatMap(({ url, thumbnail_url }) => [url, thumbnail_url]), ...pages];
  // Twice, so that both servers cache them.
  for (const link of [...links, ...links]) {
    for (const each of [server, second]) t.equal(await statusOf(at(each, link)), 200);
  }
  const stored = await images(env);
  const bytes = await Promise.all(before.map(({ url }) => bytesOf(url)));

  t.match(await admin(t, ['links', 'renew', '--user', account.username], env), { code: 2, stderr: /--yes/ });
  t.match(await admin(t, ['links', 'renew', '--yes'], env), { code: 2 });
  t.match(await admin(t, ['links', 'renew', '--yes', '--all', '--user', account.username], env), { code: 2 });
  t.equal(await statusOf(links[0] ?? ''), 200, 'nothing was changed');

  t.match(await admin(t, ['links', 'renew', '--user', account.username, '--yes'], env), {
    code: 0,
    stdout: /^New links for 3 pictures, 1 album and 1 share\. .*404\..*\n.*CDN/,
    stderr: '',
  });
  for (const link of links) {
    for (const each of [server, second])
      await eventually('the old link answers 404', async () => (await statusOf(at(each, link))) === 404);
  }
  const after = await list(server, account);
  t.same(
    after.map(({ id }) => id),
    before.map(({ id }) => id),
  );
  for (const [index, { url, thumbnail_url }] of after.entries()) {
    t.ok((await bytesOf(at(second, url))).equals(bytes[index] ?? Buffer.alloc(0)));
    t.equal(await statusOf(thumbnail_url), 200);
  }
  t.same(await images(env), stored, 'stored files are unchanged');
  t.equal(await statusOf(foreign), 200);
  const [row] = await query(env.DATABASE_URL, 'select link_key from albums');
  t.equal(await statusOf(`${server.origin}/a/${row?.link_key}`), 200, 'the page has a new address');

  t.match(await admin(t, ['links', 'renew', '--all', '--no-albums', '--yes'], env), {
    code: 0,
    stdout: /^New links for 4 pictures, 0 albums and 1 share\./,
  });
  for (const each of [server, second])
    await eventually('the old link answers 404', async () => (await statusOf(at(each, foreign))) === 404);
  t.equal(await statusOf(`${server.origin}/a/${row?.link_key}`), 200);
  t.equal(await server.stop(), 0);
  t.equal(await second.stop(), 0);
});

t.test('a renewal ends the delete links of the account, and those of no other account', async (t) => {
  const { env, server } = await start(t);
  const [account, other] = [await register(server), await register(server)];
  const linkOf = async (who: Account) =>
    (await uploadImages(server, who, ['#111'], '?delete_link=1'))[0]?.delete_url ?? '';
  const [own, foreign] = [await linkOf(account), await linkOf(other)];
  for (const link of [own, foreign]) t.equal(await statusOf(link), 200);
  t.match(await admin(t, ['links', 'renew', '--user', account.username, '--yes'], env), { code: 0 });
  t.equal(await statusOf(own), 404);
  for (const method of ['POST', 'DELETE']) t.equal((await fetch(own, { method })).status, 404, method);
  t.equal((await list(server, account)).length, 1, 'the image is not deleted');
  t.equal((await fetch(foreign, { method: 'DELETE' })).status, 204);
  t.equal(await server.stop(), 0);
});

t.test('a renewal that is killed half-way can be run again', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  await upload(server, account, ['#111']);
  await query(
    env.DATABASE_URL,
    `insert into images (id, owner_id, content_id, link_key, filename, search_name, extension, content_type, size, sha256,
        width, height, placeholder)
      select gen_random_uuid(), owner_id, id, lpad(number::text, 22, '0'), filename, search_name, extension, content_type,
        size, sha256, width, height, placeholder
      from images, generate_series(1, 149) number`,
  );
  const keys = async () =>
    new Map(
      (await query(env.DATABASE_URL, 'select id, link_key from images')).map(({ id, link_key: key }) => [id, key]),
    );
  const before = await keys();
  const renewed = async () => [...(await keys())].filter(([id, key]) => before.get(id) !== key).length;
  const sql = openClient(parseDatabaseUrl(env.DATABASE_URL), { max: 2 });
  t.teardown(() => sql.end({ timeout: 5 }));
  await sql.begin(async (tx) => {
    await tx`select 1 from images order by id desc limit 1 for update`;
    const killed = startProcess(t, 'admin', ['links', 'renew', '--all', '--yes'], env);
    await eventually('the first 100 links are renewed', async () => (await renewed()) === 100);
    killed.child.kill('SIGKILL');
    await killed.ended;
  });
  t.equal(await renewed(), 100);
  t.match(await admin(t, ['links', 'renew', '--all', '--yes'], env), {
    code: 0,
    stdout: /^New links for 150 pictures/,
  });
  t.equal(await renewed(), 150);
  const all = [...(await keys()).values()];
  t.equal(new Set(all).size, 150);
  t.ok(all.every((key) => /^[\w-]{22}$/.test(`${key}`)));
  t.equal(await server.stop(), 0);
});
