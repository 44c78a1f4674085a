/** `push` of the built client against a whole server. */
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Album, Image } from '../../server/contract.ts';
import { signIn } from '../../server/testing/account.ts';
import { createApiToken } from '../../server/testing/api-token.ts';
import { buildTestApp, listen, temporaryFolder } from '../../server/testing/app.ts';
import { layCable } from '../../server/testing/cable.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { bulky, picture } from '../../server/testing/pictures.ts';
import { createClient, type Seen, sending, watchCalls } from '../testing/client.ts';

const app = await buildTestApp(t, { pageSize: 1000 });
const origin = await listen(app);
let onCall: (seen: Seen) => void = () => {};
const calls = watchCalls(app.server, (seen) => onCall(seen));

async function begin(t: Test, address = origin) {
  calls.length = 0;
  onCall = () => {};
  const account = await signIn(app);
  const { secret } = await createApiToken(app, account, ['images:upload', 'albums:read', 'albums:write']);
  const client = await createClient(t, { GALLERY_URL: address, GALLERY_TOKEN: secret });
  const images = async (): Promise<Image[]> =>
    (await app.inject({ url: '/api/images', headers: account.bearer })).json().images;
  const names = async () => (await images()).map(({ filename }) => filename).toSorted();
  const root = await temporaryFolder(t);
  return { account, client, images, names, root };
}

/** Pictures of different bytes, also two of the same. */
async function fill(root: string, count: number): Promise<string[]> {
  await mkdir(join(root, 'sub'), { recursive: true });
  const names = Array.from({ length: count }, (_, index) => `${index % 3 === 0 ? 'sub/' : ''}p${index}.png`);
  for (const [index, name] of names.entries())
    await writeFile(join(root, name), await picture({ width: 8 + (index === 1 ? 0 : index) }));
  return names.map((name) => name.replace('sub/', '')).toSorted();
}

const forgetJournal = (home: string) => rm(join(home, '.local/state/gallery'), { recursive: true });

t.test('a second run sends no file, with and without its journal', async (t) => {
  const { client, root, names } = await begin(t);
  const sent = await fill(root, 12);
  await writeFile(join(root, 'notes.txt'), 'text');
  await writeFile(join(root, '._p1.png'), await picture());
  await mkdir(join(root, '@eaDir'));
  await writeFile(join(root, '@eaDir', 'p1.png'), await picture());
  const first = await client.run('push', root);
  t.equal(first.code, 0, first.stderr);
  t.match(first.stdout, /^stored sub\/p3\.png$/m);
  t.match(first.stdout, /^12 stored, 0 stored earlier, 1 other files skipped, 2 hidden and system files skipped\n$/m);
  t.same(await names(), sent);
  calls.length = 0;
  const second = await client.run('push', root);
  t.equal(second.stdout, '0 stored, 12 stored earlier, 1 other files skipped, 2 hidden and system files skipped\n');
  t.same(
    calls.map(({ method, path, bytes }) => [method, path, bytes]),
    [['GET', '/api/account/tokens/current', 0]],
  );
  await forgetJournal(client.home);
  calls.length = 0;
  t.equal(
    (await client.run('push', root)).stdout,
    '0 stored, 12 stored earlier, 1 other files skipped, 2 hidden and system files skipped\n',
  );
  t.equal(
    calls.reduce((sum, { bytes }) => sum + bytes, 0),
    0,
  );
  t.same(await names(), sent);
});

t.test('a name that is not UTF-8 is sent readable, and once', async (t) => {
  const { client, root, names } = await begin(t);
  const name = Buffer.from('caf\xe9.png', 'latin1');
  await writeFile(Buffer.concat([Buffer.from(`${root}/`), name]), await picture());
  t.match((await client.run('push', root)).stdout, 'stored café.png\n1 stored, 0 stored earlier\n');
  t.equal((await client.run('push', root)).stdout, '0 stored, 1 stored earlier\n');
  t.same(await names(), ['café.png']);
});

t.test('a file that changed is sent again, and the folder stays as it was', async (t) => {
  const { client, root, images } = await begin(t);
  await fill(root, 2);
  await client.run('push', root);
  const path = join(root, 'p1.png');
  const changed = await picture({ colour: '#123456' });
  await writeFile(path, changed);
  await utimes(path, 1e9, 1e9);
  const before = await stat(path);
  t.match((await client.run('push', root)).stdout, '1 stored, 1 stored earlier');
  t.equal((await images()).length, 3);
  t.ok((await readFile(path)).equals(changed));
  t.equal((await stat(path)).mtimeMs, before.mtimeMs);
});

t.test('a run that is killed again and again stores each file once', async (t) => {
  const { client, root, names } = await begin(t);
  const sent = await fill(root, 24);
  for (let kill = 0; kill < 4; kill++) {
    const run = client.start('push', root);
    let left = 3 + kill;
    onCall = ({ path }) => {
      if (path === '/api/images/upload' && --left === 0) run.child.kill('SIGKILL');
    };
    t.equal(await run.ended, null, 'killed');
  }
  onCall = () => {};
  t.equal((await client.run('push', root)).code, 0);
  t.same(await names(), sent);
});

t.test('a large file continues in its resumable upload after a kill and a lost connection', async (t) => {
  const cable = await layCable(t, { host: '127.0.0.1', port: Number(new URL(origin).port) });
  const { account, client, root, images } = await begin(t, `http://127.0.0.1:${cable.port}`);
  const bytes = await bulky(2700, 2300);
  await writeFile(join(root, 'large.png'), bytes);
  const killed = client.start('push', root);
  const parts = () => calls.filter(({ method }) => method === 'PATCH');
  onCall = () => {
    if (parts().length === 2) killed.child.kill('SIGKILL');
  };
  t.equal(await killed.ended, null, 'killed during the second part');
  calls.length = 0;
  let isCut = false;
  onCall = ({ method }) => {
    if (method !== 'PATCH' || isCut) return;
    isCut = true;
    cable.pull().then(() => cable.plugIn());
  };
  const { code, stderr } = await client.run('push', '--albums', 'folders', root);
  t.equal(code, 0, stderr);
  t.match(stderr, 'no connection, trying again');
  t.notOk(
    calls.some(({ method, path }) => method === 'POST' && path === '/api/uploads'),
    'no other upload is begun',
  );
  t.ok(
    parts().every(({ bytes: part }) => part < bytes.length - 2 ** 23 + 1),
    'the first part is not sent again',
  );
  const { albums } = (await app.inject({ url: '/api/albums', headers: account.bearer })).json<{ albums: Album[] }>();
  t.match(albums, [{ count: 1 }], 'it is put into the album that the second run names');
  const [image, ...more] = await images();
  t.equal(more.length, 0);
  t.ok((await app.inject(new URL(String(image?.url)).pathname)).rawPayload.equals(bytes));
});

t.test('a large file that was refused for its album is sent again by the next run', async (t) => {
  const { account, client, root, images } = await begin(t);
  await writeFile(join(root, 'large.png'), await bulky(2700, 2300));
  const albums = async (): Promise<Album[]> =>
    (await app.inject({ url: '/api/albums', headers: account.bearer })).json().albums;
  let deleted: Promise<unknown> | undefined;
  onCall = ({ method }) => {
    if (method !== 'PATCH') return;
    deleted ??= albums().then(([album]) =>
      app.inject({ method: 'DELETE', url: `/api/albums/${album?.id}`, headers: account.bearer }),
    );
  };
  const first = await client.run('push', '--albums', 'folders', root);
  await deleted;
  t.equal(first.code, 1, first.stderr);
  t.same(await images(), []);
  const second = await client.run('push', '--albums', 'folders', root);
  t.equal(second.code, 0, second.stderr);
  t.match(await albums(), [{ count: 1 }]);
});

t.test('refused files are named with the reason, and are not sent again', async (t) => {
  const { client, root, names } = await begin(t);
  const sent = await fill(root, 2);
  await writeFile(join(root, 'sub', 'text.jpg'), 'no picture');
  const first = await client.run('push', root);
  t.equal(first.code, 1);
  t.match(first.stderr, /^gallery: sub\/text\.jpg: The file is not an image[^\n]*\n$/);
  t.match(first.stdout, '2 stored, 0 stored earlier, 1 failed');
  calls.length = 0;
  const second = await client.run('push', root);
  t.equal(second.code, 1);
  t.match(second.stderr, /^gallery: sub\/text\.jpg: The file is not an image[^\n]*\(Refused earlier\.\)\n$/);
  t.same(sending(calls), []);
  t.same(await names(), sent);
});

t.test('--albums folders names albums after folders, also for pictures that are stored already', async (t) => {
  const { account, client, root } = await begin(t);
  await fill(root, 4);
  await client.run('push', root);
  calls.length = 0;
  const { code, stderr } = await client.run('push', '--albums', 'folders', root);
  t.equal(code, 0, stderr);
  t.same(sending(calls), []);
  const albums: Album[] = (await app.inject({ url: '/api/albums', headers: account.bearer })).json().albums;
  t.same(
    albums.map(({ name, count }) => [name, count]).toSorted(),
    [
      [root.split('/').at(-1), 2],
      ['sub', 2],
    ].toSorted(),
  );
  await writeFile(join(root, 'sub', 'new.png'), await picture({ colour: '#fed' }));
  await client.run('push', '--albums', 'folders', root);
  const album = albums.find(({ name }) => name === 'sub');
  t.same(
    sending(calls).map(({ query }) => query.get('album')),
    [album?.id],
    'an upload names its album',
  );
});

t.test('--dry-run lists what would be sent and changes nothing', async (t) => {
  const { client, root, names } = await begin(t);
  await fill(root, 2);
  const { code, stdout } = await client.run('push', '--dry-run', '--albums', 'folders', root);
  t.equal(code, 0);
  t.match(stdout, /^would send p1\.png \(\d+ B\)\nwould send sub\/p0\.png \(\d+ B\)\n2 to send, 0 stored earlier\n$/);
  t.same(await names(), []);
  t.ok(calls.every(({ method }) => method === 'GET'));
  await t.rejects(stat(join(client.home, '.local')), { code: 'ENOENT' });
});

t.test('--watch sends new files, and another push is refused until it ends', async (t) => {
  const { client, root, names } = await begin(t);
  const watching = client.start('push', '--watch', root);
  await eventually('the first pass', () => watching.stdout().includes('0 stored'));
  const second = await client.run('push', root);
  t.equal(second.code, 1);
  t.match(second.stderr, /^gallery: Another "gallery push" to this server is running\./);
  await writeFile(join(root, 'new.png'), await picture());
  await eventually('the new file', async () => (await names()).includes('new.png'));
  watching.child.kill('SIGKILL');
  await watching.ended;
  const last = await client.run('push', root);
  t.equal(last.code, 0, 'a killed push leaves no lock');
});
