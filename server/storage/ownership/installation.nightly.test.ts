import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildApp } from '../../app.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder, testConfig } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';

t.setTimeout(240_000);

const markerIn = async (dataDir: string) => (await readFile(join(dataDir, 'files', 'installation'), 'utf8')).trim();
const idIn = async (url: string) => (await query(url, 'select id from installation')).map(({ id }) => id);

async function start(t: Test, databaseUrl: string, dataDir: string): Promise<Error & { code?: string }> {
  const config = await testConfig(t, { databaseUrl, dataDir });
  return buildApp(config).then(
    async (app) => {
      await app.close();
      return new Error('started');
    },
    (error) => error,
  );
}

/** A storage and a database that belong together, with one image; the server is stopped. */
async function installation(t: Test) {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { databaseUrl: url, dataDir });
  await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  await app.close();
  return { url, dataDir, marker: join(dataDir, 'files', 'installation') };
}

t.test('the first start binds a new database to an empty storage', async (t) => {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  t.match(await start(t, url, dataDir), { message: 'started' });
  const id = await markerIn(dataDir);
  t.same(await idIn(url), [id]);
  t.match(await start(t, url, dataDir), { message: 'started' });
  t.equal(await markerIn(dataDir), id);
});

t.test('servers that start together on an empty storage agree on one id', async (t) => {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  const ends = await Promise.all(Array.from({ length: 4 }, () => start(t, url, dataDir)));
  t.same(
    ends.map(({ message }) => message),
    Array(4).fill('started'),
  );
  t.same(await idIn(url), [await markerIn(dataDir)]);
});

t.test('a database of an earlier version adopts its storage, with or without a marker', async (t) => {
  const { url, dataDir, marker } = await installation(t);
  const id = await markerIn(dataDir);
  await query(url, 'delete from installation');
  t.match(await start(t, url, dataDir), { message: 'started' });
  t.same(await idIn(url), [id]);

  await query(url, 'delete from installation');
  await rm(marker);
  t.match(await start(t, url, dataDir), { message: 'started' });
  t.same(await idIn(url), [await markerIn(dataDir)]);
});

t.test('a database with images does not start on a missing storage and creates nothing there', async (t) => {
  const { url } = await installation(t);
  const empty = await temporaryFolder(t);
  await mkdir(join(empty, 'files'));
  const refused = await start(t, url, empty);
  t.match(refused, { code: 'CONFIG', message: /no file "installation".*mounted.*DATABASE_URL.*write the line/ });
  t.notMatch(refused.message, '\n');
  t.same(await readdir(join(empty, 'files')), []);

  await query(url, 'delete from installation');
  t.match(await start(t, url, empty), { code: 'CONFIG', message: /the database has images, and here are none/ });
  t.same(await readdir(join(empty, 'files')), []);
});

t.test('a database with images does not start on another storage until the marker is edited', async (t) => {
  const [one, other] = [await installation(t), await installation(t)];
  t.match(await start(t, one.url, other.dataDir), { code: 'CONFIG', message: /it belongs to .* the database to / });
  const [id] = await idIn(one.url);
  await writeFile(other.marker, `${id}\n`);
  t.match(await start(t, one.url, other.dataDir), { message: 'started' });
  await writeFile(other.marker, 'something else');
  t.match(await start(t, one.url, other.dataDir), { code: 'CONFIG', message: /holds no id/ });
});

t.test('a database without images adopts the storage it finds', async (t) => {
  const { dataDir } = await installation(t);
  const { url } = await createTestDatabase(t);
  t.match(await start(t, url, dataDir), { message: 'started' });
  t.same(await idIn(url), [await markerIn(dataDir)]);
});
