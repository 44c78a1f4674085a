import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { countsHold, rowsOf } from '../testing/collections/collection.ts';
import { storedFiles } from '../testing/disk.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { noise, picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { askOffset, askOutcome, opened, sendPart } from '../testing/tus.ts';

const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' });
const unmount = (path: string) => spawnSync('umount', ['-l', path]);

/** Mounts a small disk under the data folder until the test ends; undefined if this user may not mount. */
async function disk(t: Test, size: string): Promise<{ dataDir: string; files: string } | undefined> {
  const dataDir = await temporaryFolder(t);
  const files = join(dataDir, 'files');
  await mkdir(files);
  const { status, stderr, error } = mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', files);
  if (status !== 0) {
    t.comment(`skipped: this user may not mount a disk (${stderr?.trim() || error?.message})`);
    return undefined;
  }
  t.teardown(() => unmount(files));
  return { dataDir, files };
}

async function start(t: Test, dataDir: string) {
  const { url } = await createTestDatabase(t);
  const app = await buildTestApp(t, { dataDir, databaseUrl: url });
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'before.png', bytes: await picture() }]);
  const link = new URL(image?.url ?? '').pathname;
  return {
    app,
    url,
    account,
    id: image?.id,
    upload: async () => postFiles(app, account, [{ name: 'a.png', bytes: await picture() }]),
    remove: () => app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer }),
    ready: async () => (await app.inject('/api/health/ready')).json(),
    look: async () => (await app.inject(link)).statusCode,
  };
}

const listed = async (app: FastifyInstance, { bearer }: TestAccount) =>
  (await app.inject({ url: '/api/images/', headers: bearer })).json().total;

const away = { statusCode: 503, code: 'STORAGE_UNAVAILABLE', message: /storage/ };

async function refusesWithoutItsDisk(t: Test, { app, url, account, ...server }: Server, empty: string): Promise<void> {
  t.match((await server.upload()).json(), away);
  t.match(await server.ready(), away);
  t.equal((await app.inject('/api/health/live')).statusCode, 200);
  t.equal(await server.look(), 503, 'the picture is not reported absent');
  t.equal(await listed(app, account), 1, 'the list still works');
  await app.sweeps.run();
  t.same(await readdir(empty), [], 'nothing is written into the empty folder');
  t.equal((await server.remove()).statusCode, 204);
  t.same(await rowsOf(url), { images: 0, orphaned: 1 }, 'the bytes on the missing disk are recorded as orphaned');
  t.same(await readdir(empty), []);
}

async function servesAgain(t: Test, { app, url, ...server }: Server, dataDir: string): Promise<void> {
  t.match(await server.ready(), { status: 'ok' });
  await app.sweeps.run();
  t.same(await rowsOf(url), { images: 0, orphaned: 0 });
  t.same(await storedFiles(dataDir), [], 'a picture deleted during the outage is removed from the disk');
  t.equal((await server.upload()).statusCode, 201);
}

type Server = Awaited<ReturnType<typeof start>>;

t.test('the server refuses writes without its disk and recovers when the disk is back', async (t) => {
  const dataDir = await temporaryFolder(t);
  const [files, elsewhere] = [join(dataDir, 'files'), join(dataDir, 'elsewhere')];
  const server = await start(t, dataDir);
  await rename(files, elsewhere);
  await mkdir(files);
  await refusesWithoutItsDisk(t, server, files);
  await rmdir(files);
  await rename(elsewhere, files);
  await servesAgain(t, server, dataDir);
});

t.test('the server refuses writes while its disk is unmounted and recovers when it is mounted again', async (t) => {
  const mounted = await disk(t, '16m');
  if (!mounted) return;
  const { dataDir, files } = mounted;
  const kept = await temporaryFolder(t);
  mount('--bind', files, kept);
  t.teardown(() => unmount(kept));
  const server = await start(t, dataDir);
  t.equal(unmount(files).status, 0);
  await refusesWithoutItsDisk(t, server, files);
  t.equal(mount('--bind', kept, files).status, 0);
  await servesAgain(t, server, dataDir);
});

t.test('a resumable upload continues after its disk was away', async (t) => {
  const dataDir = await temporaryFolder(t);
  const [files, elsewhere] = [join(dataDir, 'files'), join(dataDir, 'elsewhere')];
  const { app, account } = await start(t, dataDir);
  const bytes = await noise(200, 200);
  const path = await opened(app, account, bytes.length);
  await sendPart(app, account, path, 0, bytes.subarray(0, 1000));
  await rename(files, elsewhere);
  await mkdir(files);
  t.match((await sendPart(app, account, path, 1000, bytes.subarray(1000))).json(), away);
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '1000');
  await rmdir(files);
  await rename(elsewhere, files);
  await sendPart(app, account, path, 1000, bytes.subarray(1000));
  t.match((await askOutcome(app, account, path)).json(), { state: 'stored' });
});

t.test('on a read-only disk uploads are refused and stored images are served', async (t) => {
  const mounted = await disk(t, '16m');
  if (!mounted) return;
  const { app, url, account, ...server } = await start(t, mounted.dataDir);
  t.equal(mount('-o', 'remount,ro', mounted.files).status, 0);
  t.match((await server.upload()).json(), away);
  t.match(await server.ready(), away);
  t.equal((await app.inject('/api/health/live')).statusCode, 200);
  t.equal(await server.look(), 200);
  t.equal(await listed(app, account), 1);
  t.same(await rowsOf(url), { images: 1, orphaned: 0 });
  t.equal(mount('-o', 'remount,rw', mounted.files).status, 0);
  t.equal((await server.upload()).statusCode, 201);
});

t.test('on a full disk an upload is refused as a whole, and stored images stay intact', async (t) => {
  const mounted = await disk(t, '3m');
  if (!mounted) return;
  const { app, url, account, ...server } = await start(t, mounted.dataDir);
  const links: string[] = [];
  const sums: string[] = [];
  for (;;) {
    // All different: duplicates would take no space.
    const [one, two] = [await noise(500 + links.length, 400, 'png'), await noise(500 + links.length, 401, 'png')];
    const answer = await postFiles(app, account, [
      { name: 'one.png', bytes: one },
      { name: 'two.png', bytes: two },
    ]);
    if (answer.statusCode !== 201) {
      t.match(answer.json(), { statusCode: 507, code: 'NO_SPACE', message: /no space left/ });
      break;
    }
    for (const image of answer.json().images) links.push(new URL(image.url).pathname);
    sums.push(...[one, two].map((bytes) => createHash('sha256').update(bytes).digest('hex')));
  }
  t.ok(links.length > 0);
  for (const [index, link] of links.entries()) {
    const { rawPayload } = await app.inject(link);
    t.equal(createHash('sha256').update(rawPayload).digest('hex'), sums[index]);
  }
  await app.sweeps.run();
  t.same(await rowsOf(url), { images: links.length + 1, orphaned: 0 });
  t.equal((await storedFiles(mounted.dataDir)).length, (links.length + 1) * 2);
  t.ok(await countsHold(url));
  const [last] = (await app.inject({ url: '/api/images/', headers: account.bearer })).json().images;
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${last.id}`, headers: account.bearer });
  t.equal((await server.upload()).statusCode, 201, 'an upload succeeds once there is space again');
});
