/** Bytes left by killed processes, with two servers of one database. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { joinProcesses, UNOWNED } from '../../database/process-registry.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../../testing/app.ts';
import { rowsOf } from '../../testing/collections/collection.ts';
import { storedFiles, watchFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { allKeys } from '../keys.ts';

const log = { info: () => {}, error: () => {} };

async function put(dataDir: string, key: string): Promise<void> {
  const path = join(dataDir, 'files', key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'bytes');
}

/** A process in the middle of an upload: bytes in place and staged, and no image. */
async function midway(t: Test, url: string, dataDir: string) {
  const id = randomUUID();
  const { sql, close } = connect(url, { max: 1 });
  t.teardown(close);
  const processRegistry = await joinProcesses(parseDatabaseUrl(url), { sql, log });
  t.teardown(() => processRegistry.close());
  await query(
    url,
    `insert into orphaned_blobs (image_id, extension, process) values ('${id}', 'jpg', ${processRegistry.number})`,
  );
  for (const key of allKeys({ id, extension: 'jpg' })) await put(dataDir, key);
  await put(dataDir, `staging/${processRegistry.number}/a.part`);
  return processRegistry;
}

/** Locks in this test's database only. */
const locksHere = `select 1 from pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`;

const { url } = await createTestDatabase(t);
const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { databaseUrl: url, dataDir });

t.test('the bytes of a living process stay, and are removed after it ends', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const other = await midway(t, url, dataDir);
  await app.sweeps.run();
  t.equal((await addedFiles()).length, 6);
  await other.close();
  await eventually('the orphaned blobs are swept', async () => {
    await app.sweeps.run();
    return (await rowsOf(url)).orphaned === 0;
  });
  t.same(await addedFiles(), []);
});

t.test('the next start removes the bytes of a killed process, and a stop leaves none', async (t) => {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  await (await buildTestApp(t, { databaseUrl: url, dataDir })).close();
  t.same(await storedFiles(dataDir), []);
  const killed = await midway(t, url, dataDir);
  await killed.close();
  // Earlier versions staged files in a folder without a process.
  await put(dataDir, 'staging/old.part');
  await put(dataDir, 'staging/young.part');
  await utimes(join(dataDir, 'files/staging/old.part'), 1, 1);
  await eventually('the killed process holds no lock', async () => (await query(url, locksHere)).length === 0);
  await listen(await buildTestApp(t, { databaseUrl: url, dataDir }));
  await eventually('the orphaned blobs are swept', async () => (await rowsOf(url)).orphaned === 0);
  t.same(await storedFiles(dataDir), ['staging/young.part'], 'a recent one may still be in use');
});

t.test('bytes that a row names stay although they are listed as orphaned', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const { images } = await rowsOf(url);
  const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  await query(
    url,
    `insert into orphaned_blobs (image_id, extension, process) values ('${image?.id}', 'png', ${UNOWNED})`,
  );
  await app.sweeps.run();
  t.same(await rowsOf(url), { images: images + 1, orphaned: 0 });
  t.equal((await addedFiles()).length, 2);
});

t.test('more orphaned blobs than one batch are swept', async (t) => {
  await query(
    url,
    `insert into orphaned_blobs (image_id, extension, process) select gen_random_uuid(), 'jpg', 0 from generate_series(1, 501)`,
  );
  await app.sweeps.run();
  t.equal((await rowsOf(url)).orphaned, 0);
});

t.test('expired rows are deleted', async (t) => {
  const { id: user } = await signIn(app);
  const past = `now() - interval '1 day'`;
  await query(url, `update sessions set expires_at = ${past} where user_id = '${user}'`);
  await query(url, `insert into password_resets (token_hash, user_id, expires_at) values ('hash', '${user}', ${past})`);
  await query(url, `insert into rate_limits (key, count, resets_at) values ('key', 1, ${past})`);
  await app.sweeps.run();
  for (const [table, ofThese] of [
    ['sessions', `user_id = '${user}'`],
    ['password_resets', `user_id = '${user}'`],
    ['rate_limits', `key = 'key'`],
  ] as const) {
    t.same(await query(url, `select 1 from ${table} where ${ofThese}`), [], table);
  }
});

t.test('uploads work after a sweep removed the staging folder of a living process', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  await app.storage.sweep(async () => false);
  await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  t.equal((await addedFiles()).length, 2);
});

t.test('a sweep removes only unused staged files of a living process', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const inHand = await app.storage.stage(Readable.from([Buffer.from('a picture')]));
  const lost = await app.storage.stage(Readable.from([Buffer.from('another')]));
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  await app.storage.discard(lost);
  await rename(join(dataDir, 'away'), join(dataDir, 'files'));
  t.equal((await addedFiles()).length, 2);
  await app.sweeps.run();
  t.same(
    (await addedFiles()).map((path) => join(dataDir, 'files', path)),
    [inHand.path],
  );
});
