import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { buildApp } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { hasUnsealed } from '../../database/statements/unsealed.ts';
import { originalKey } from '../../images/keys.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder, testConfig } from '../../testing/app.ts';
import { storedFiles } from '../../testing/disk.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { openStorage } from '../open.ts';
import { testKeyring } from '../testing/keyring.ts';

t.setTimeout(240_000);

const [one, other] = [randomBytes(32), randomBytes(32)];
const idOf = (key: Buffer) => testKeyring(key).present.id;

type Keys = Partial<Pick<Config, 'encryptionKey' | 'encryptionKeyPrevious'>>;

async function gallery(t: Test) {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  return {
    url,
    dataDir,
    /** @returns the error that stopped the start, or "started" */
    start: async (keys: Keys): Promise<{ message: string; code?: string }> =>
      buildApp(await testConfig(t, { databaseUrl: url, dataDir, ...keys })).then(
        async (app) => {
          await app.close();
          return { message: 'started' };
        },
        (error) => error,
      ),
    store: async (keys: Keys) => {
      const app = await buildTestApp(t, { databaseUrl: url, dataDir, ...keys });
      await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
      await app.close();
    },
    forget: () => query(url, `update installation set sealed_by = '{}'`),
    keys: async () => (await query(url, 'select unnest(sealed_by) as id from installation')).map(({ id }) => id),
  };
}

t.test('an installation that never had a key starts without one', async (t) => {
  const { start, keys } = await gallery(t);
  t.match(await start({}), { message: 'started' });
  t.match(await start({ encryptionKeyPrevious: [one] }), { message: 'started' }, 'a previous key is not registered');
  t.same(await keys(), []);
  t.match(await start({}), { message: 'started' });
});

t.test('only one of two servers with different keys that start together succeeds', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const { start, keys } = await gallery(t);
    const results = await Promise.all([start({ encryptionKey: one }), start({ encryptionKey: other })]);
    t.same(results.map(({ code }) => code ?? 'started').sort(), ['CONFIG', 'started']);
    t.equal((await keys()).length, 1);
  }
});

t.test('a server does not start without a key that may have sealed something, and names the key', async (t) => {
  const { start, store, keys } = await gallery(t);
  await store({ encryptionKey: one });
  t.same(await keys(), [idOf(one)]);
  for (const wrong of [{}, { encryptionKey: other }, { encryptionKeyPrevious: [other] }]) {
    const { code, message } = await start(wrong);
    t.equal(code, 'CONFIG');
    t.match(
      message,
      new RegExp(`^ENCRYPTION_KEY: set the key ${idOf(one)} as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS`),
    );
    t.match(
      message,
      new RegExp(`Only if it has sealed nothing, or is lost for good: ".*admin.* rotate-key --without ${idOf(one)}"`),
    );
    t.match(message, 'encryptionKey' in wrong ? `what is given is the key ${idOf(other)}` : /given/);
    t.notMatch(message, '\n');
    for (const form of ['hex', 'base64'] as const) t.notMatch(message, other.toString(form));
  }
  t.same(await keys(), [idOf(one)], 'nothing changed');
  t.match(await start({ encryptionKey: one }), { message: 'started' });
  t.match(await start({ encryptionKeyPrevious: [one] }), { message: 'started' }, 'a previous key is enough to read');
});

t.test('a database restored from before its key does not start without the key', async (t) => {
  const { start, store, forget, keys } = await gallery(t);
  await store({ encryptionKey: one });
  await forget();
  for (const wrong of [{}, { encryptionKey: other }, { encryptionKeyPrevious: [other] }]) {
    const { code, message } = await start(wrong);
    t.equal(code, 'CONFIG');
    t.match(
      message,
      new RegExp(
        `^ENCRYPTION_KEY: set the missing key .*: originals/.* is sealed by the key ${idOf(one)}, which is not given\\. `,
      ),
    );
    t.same(await keys(), [], 'nothing changed');
  }
  t.match(await start({ encryptionKeyPrevious: [one] }), { message: 'started' });
});

t.test('an orphaned original sealed by a lost key does not stop a start', async (t) => {
  const { start, store, forget, dataDir, url } = await gallery(t);
  await store({ encryptionKey: one });
  await query(url, 'truncate images cascade');
  await forget();
  t.match(await start({}), { message: 'started' }, 'no other originals exist');
  await store({ encryptionKey: other });
  t.match(await start({ encryptionKey: other }), { message: 'started' });
  t.equal((await storedFiles(dataDir)).filter((path) => path.startsWith('originals/')).length, 2);
});

t.test('a server registers its key again at shutdown', async (t) => {
  const { url } = await createTestDatabase(t);
  const app = await buildTestApp(t, { databaseUrl: url, encryptionKey: one });
  await query(url, `update installation set sealed_by = '{}'`);
  await app.close();
  t.same(await query(url, 'select unnest(sealed_by) as id from installation'), [{ id: idOf(one) }]);
});

/** A gallery with one image, and a function that opens its storage with other keys. */
async function galleryOfOne(t: Test, keys: Keys = {}) {
  const config = await testConfig(t, keys);
  const app = await buildTestApp(t, config);
  const { db } = app;
  const { processRegistry } = app.database;
  await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  const lines: string[] = [];
  const log = { warn: (_details: object, line: string) => void lines.push(line) };
  const open = (keys: Keys) =>
    openStorage({
      config: { ...config, ...keys },
      db,
      processRegistry,
      log,
      isServer: true,
      isFirstWorker: true,
      originalKey,
    });
  return { url: `${config.databaseUrl}`, db, lines, open };
}

t.test('a start with a key warns once if pictures are not marked as sealed', async (t) => {
  const { url, lines, open } = await galleryOfOne(t);
  const linesOf = async (keys: Keys) => {
    lines.length = 0;
    await (await open(keys)).close();
    return [...lines];
  };
  t.same(await linesOf({}), []);
  const logged = await linesOf({ encryptionKey: one });
  t.equal(logged.length, 1);
  t.match(logged[0], /^ENCRYPTION_KEY is set, and some pictures are not marked as sealed.*".*admin.* encrypt"/);
  await query(url, 'update images set sealed = true, renditions_sealed = true');
  t.notOk((await linesOf({ encryptionKey: one })).some((line) => line.includes('not marked')));
});

t.test('a start with a key warns when a picture that is marked as sealed is stored plain', async (t) => {
  const sealed = await galleryOfOne(t, { encryptionKey: one });
  await (await sealed.open({ encryptionKey: one })).close();
  t.same(sealed.lines, []);
  const { url, lines, open } = await galleryOfOne(t);
  await query(url, 'update images set sealed = true, renditions_sealed = true');
  await (await open({ encryptionKey: one })).close();
  t.equal(lines.length, 1);
  t.match(lines[0], /^a picture that is marked as sealed is stored plain.*STORAGE_FALLBACK.*".*admin.* encrypt"/);
});

t.test('a start does not wait until the marks of all pictures are checked', { timeout: 60_000 }, async (t) => {
  const { url, db, lines, open } = await galleryOfOne(t, { encryptionKey: one });
  // This lock delays reading a mark, as millions of rows would.
  const { sql, close } = connect(parseDatabaseUrl(url), { max: 1 });
  t.teardown(close);
  await sql.unsafe(`
    create function slowly(mark boolean) returns boolean stable language plpgsql as
      $$ begin perform pg_advisory_lock_shared(42); return mark; end $$;
    alter table images rename to stored_images;
    update stored_images set renditions_sealed = false;
    create view images as
      select id, content_id, extension, sealed, slowly(renditions_sealed) as renditions_sealed from stored_images;
    select pg_advisory_lock(42)`);
  t.equal(await hasUnsealed(db, 50), undefined, 'reading the marks takes too long');
  const storage = await open({ encryptionKey: one });
  t.same(lines, []);
  await sql`select pg_advisory_unlock(42)`;
  await storage.close();
  t.equal(lines.length, 1);
});

t.test('with a newer key both are required', async (t) => {
  const { start, store, keys } = await gallery(t);
  await store({ encryptionKey: one });
  t.match(await start({ encryptionKey: other, encryptionKeyPrevious: [one] }), { message: 'started' });
  t.same(await keys(), [idOf(one), idOf(other)]);
  t.match(await start({ encryptionKey: other }), { code: 'CONFIG' });
  t.match(await start({ encryptionKey: one }), { code: 'CONFIG' });
  t.match(await start({ encryptionKey: one, encryptionKeyPrevious: [other] }), { message: 'started' });
});
