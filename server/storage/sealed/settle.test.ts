import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { buildApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder, testConfig } from '../../testing/app.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { storedFiles } from '../../testing/disk.ts';
import { query } from '../../testing/embedded.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { testKeyring } from '../testing/keyring.ts';

t.setTimeout(240_000);

const [one, other] = [randomBytes(32), randomBytes(32)];
const idOf = (key: Buffer) => testKeyring(key).present.id;

type Keys = Partial<Pick<Config, 'encryptionKey' | 'encryptionKeyPrevious'>>;

async function place(t: Test) {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  return {
    url,
    dataDir,
    /** @returns what the server refused to start with */
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

t.test('an installation that never had a key asks for none', async (t) => {
  const { start, keys } = await place(t);
  t.match(await start({}), { message: 'started' });
  t.match(await start({ encryptionKeyPrevious: [one] }), { message: 'started' }, 'one that only opens leaves it so');
  t.same(await keys(), []);
  t.match(await start({}), { message: 'started' });
});

t.test('of servers with other keys that start together one alone does', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const { start, keys } = await place(t);
    const told = await Promise.all([start({ encryptionKey: one }), start({ encryptionKey: other })]);
    t.same(told.map(({ code }) => code ?? 'started').sort(), ['CONFIG', 'started']);
    t.equal((await keys()).length, 1);
  }
});

t.test('once a key may have sealed something, no server starts without it, and says which', async (t) => {
  const { start, store, keys } = await place(t);
  await store({ encryptionKey: one });
  t.same(await keys(), [idOf(one)]);
  for (const wrong of [{}, { encryptionKey: other }, { encryptionKeyPrevious: [other] }]) {
    const { code, message } = await start(wrong);
    t.equal(code, 'CONFIG');
    t.match(message, `ENCRYPTION_KEY: what this installation stores may be sealed by the key ${idOf(one)}, and `);
    t.match(message, 'encryptionKey' in wrong ? `what is given is the key ${idOf(other)}` : /given/);
    t.notMatch(message, '\n');
    for (const form of ['hex', 'base64'] as const) t.notMatch(message, other.toString(form));
  }
  t.same(await keys(), [idOf(one)], 'nothing was changed');
  t.match(await start({ encryptionKey: one }), { message: 'started' });
  t.match(await start({ encryptionKeyPrevious: [one] }), { message: 'started' }, 'to read it is enough');
});

t.test('a database from before its key does not start without it', async (t) => {
  const { start, store, forget, keys } = await place(t);
  await store({ encryptionKey: one });
  await forget();
  for (const wrong of [{}, { encryptionKey: other }, { encryptionKeyPrevious: [other] }]) {
    const { code, message } = await start(wrong);
    t.equal(code, 'CONFIG');
    t.match(
      message,
      new RegExp(`^ENCRYPTION_KEY: originals/.* is sealed by the key ${idOf(one)}, which is not given. `),
    );
    t.same(await keys(), [], 'nothing was changed');
  }
  t.match(await start({ encryptionKeyPrevious: [one] }), { message: 'started' });
});

t.test('an original that no row names, sealed by a key that nobody has, keeps no server from starting', async (t) => {
  const { start, store, forget, dataDir, url } = await place(t);
  await store({ encryptionKey: one });
  await query(url, 'truncate images cascade');
  await forget();
  t.match(await start({}), { message: 'started' }, 'it is all there is');
  await store({ encryptionKey: other });
  t.match(await start({ encryptionKey: other }), { message: 'started' });
  t.equal((await storedFiles(dataDir)).filter((path) => path.startsWith('originals/')).length, 2);
});

t.test('a server that ends tells its key once more', async (t) => {
  const { url } = await createTestDatabase(t);
  const app = await buildTestApp(t, { databaseUrl: url, encryptionKey: one });
  await query(url, `update installation set sealed_by = '{}'`);
  await app.close();
  t.same(await query(url, 'select unnest(sealed_by) as id from installation'), [{ id: idOf(one) }]);
});

t.test('with a newer key both are asked for', async (t) => {
  const { start, store, keys } = await place(t);
  await store({ encryptionKey: one });
  t.match(await start({ encryptionKey: other, encryptionKeyPrevious: [one] }), { message: 'started' });
  t.same(await keys(), [idOf(one), idOf(other)]);
  t.match(await start({ encryptionKey: other }), { code: 'CONFIG' });
  t.match(await start({ encryptionKey: one }), { code: 'CONFIG' });
  t.match(await start({ encryptionKey: one, encryptionKeyPrevious: [other] }), { message: 'started' });
});
