import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { albumsHolding } from '../albums/image-queries.ts';
import { contentsOf, pageOfAlbum } from '../albums/pages.ts';
import { findShown, pageOfImages } from '../gallery/pages.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createPooledDatabase, withoutPgbouncer } from '../testing/postgres/pgbouncer.ts';
import { connect } from './connect.ts';
import { openDatabase } from './open.ts';
import { codeOf } from './start-error.ts';
import { everythingOf } from './statements/access.ts';

const logger = { info: () => {}, error: () => {} };
const skip = withoutPgbouncer;

/** Two servers that share a pooler with fewer sessions than they have connections. */
async function behindPooler(t: Test) {
  const { url: databaseUrl, direct: databaseDirectUrl } = await createPooledDatabase(t);
  const dataDir = await temporaryFolder(t);
  const options = { databaseUrl, databaseDirectUrl, dataDir, jwtSecret: 's'.repeat(32) };
  return { one: await buildTestApp(t, options), other: await buildTestApp(t, options) };
}

const list = async (app: FastifyInstance, { bearer }: TestAccount, query = '') =>
  (await app.inject({ url: `/api/images/?page=1${query}`, headers: bearer })).json();

t.test('uploads, lists, deletions and logouts work through a pooler in transaction mode', { skip }, async (t) => {
  const { one, other } = await behindPooler(t);
  const account = await signIn(one);
  const names = Array.from({ length: 12 }, (_, index) => `picture ${index}.png`);
  const images = await Promise.all(
    names.map(async (name, index) => {
      const [image] = await storeFiles(index % 2 ? one : other, account, [
        { name, bytes: await picture({ width: 60 + index }) },
      ]);
      return image;
    }),
  );
  // More at once than there are sessions; any session may run each statement.
  const lists = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      list(index % 2 ? one : other, account, index % 3 ? '' : '&search=picture'),
    ),
  );
  for (const answer of lists) t.equal(answer.total, names.length);
  t.equal((await list(other, account, '&search=picture%2011')).total, 1);

  const [image] = images;
  const removed = await one.inject({
    method: 'DELETE',
    url: `/api/images/delete/${image?.id}`,
    headers: account.bearer,
  });
  t.equal(removed.statusCode, 204);
  t.equal((await list(other, account)).total, names.length - 1);
  const ended = await one.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  t.equal(ended.statusCode, 204);
  t.equal((await other.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 401);
});

t.test('a link cached by another process ends with its deletion, despite the pooler', { skip }, async (t) => {
  const { one, other } = await behindPooler(t);
  const account = await signIn(one);
  for (let round = 0; round < 3; round += 1) {
    const [image] = await storeFiles(one, account, [{ name: 'a.png', bytes: await picture({ width: 50 + round }) }]);
    const path = new URL(image?.thumbnail_url ?? '').pathname;
    for (let time = 0; time < 3; time += 1) t.equal((await other.inject(path)).statusCode, 200);
    await one.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer });
    const told = performance.now();
    let [status, begun] = [200, 0];
    // Only calls that begin after one second count: a slow machine may serve earlier ones from the cache.
    while (status !== 404 && begun <= 1000) {
      begun = performance.now() - told;
      status = (await other.inject(path)).statusCode;
      await nextTurn();
    }
    t.equal(status, 404, 'within a second');
  }
});

t.test('each list statement sets its own time limit when sessions are pooled', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t);
  const app = await buildTestApp(t, { databaseUrl });
  const { id } = await signIn(app);
  const { db, close } = connect(databaseUrl, { pooled: true });
  t.teardown(close);
  const lists = {
    'a page of images': () => pageOfImages(db, id, { page: 1, size: 1 }),
    'images by their ids': () => findShown(db, id, [id]),
    'a page of an album': () => pageOfAlbum(db, id, { id, count: 1 }, { page: 1, size: 1 }),
    'the contents of a shared album': () => contentsOf(db, { id, ownerId: id }),
    'albums of images': () => albumsHolding(db, everythingOf(id), [id]),
  };
  await app.db.transaction(async (tx) => {
    await tx.execute('lock table images, album_images, image_counts in access exclusive mode');
    const checks = Object.entries(lists).map(async ([name, list]) => {
      const error = await list().catch((failure: unknown) => failure);
      t.equal(codeOf(error) ?? codeOf((error as Error).cause), '57014', name);
    });
    await Promise.all(checks);
  });
});

t.test('background renditions run through a pooler', { skip }, async (t) => {
  const { url: databaseUrl, direct: databaseDirectUrl } = await createPooledDatabase(t);
  const ahead = { renditionsAhead: 'on', options: { idleAfter: 0 } } as const;
  const app = await buildTestApp(t, { databaseUrl, databaseDirectUrl, ...ahead });
  const account = await signIn(app);
  await storeFiles(app, account, [{ name: 'large.jpg', bytes: await noise(2000, 1500) }]);
  await eventually('a screen rendition', async () =>
    (await list(app, account)).images[0].screen_url.endsWith('screen.webp'),
  );
  await eventually(
    'no renditions are due',
    async () => (await app.db.execute('select 1 from images where renditions_due')).length === 0,
  );
  await eventually(
    'the attempt has ended',
    async () => (await app.db.execute('select 1 from rendition_attempts')).length === 0,
  );
  t.pass('no renditions are due, and no attempt is left');
});

t.test('a pooler in transaction mode without DATABASE_DIRECT_URL is refused in one line', { skip }, async (t) => {
  const { url: databaseUrl } = await createPooledDatabase(t);
  const { joinProcesses, close } = await openDatabase({ dataDir: '/nowhere', databaseUrl, logger });
  t.teardown(close);
  await t.rejects(joinProcesses(), { code: 'DATABASE_START', message: /^[^\n]*Set DATABASE_DIRECT_URL[^\n]*$/ });
});

t.test('a DATABASE_DIRECT_URL of another or no database is refused in one line', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t);
  const open = (databaseDirectUrl: string) =>
    openDatabase({ dataDir: '/nowhere', databaseUrl, databaseDirectUrl, logger });
  await t.rejects(open((await createTestDatabase(t)).url), {
    code: 'DATABASE_START',
    message: 'DATABASE_URL and DATABASE_DIRECT_URL lead to two different databases.',
  });
  await t.rejects(open('postgres://nobody@127.0.0.1:1/nothing'), {
    code: 'DATABASE_START',
    message: /^DATABASE_DIRECT_URL: the database at 127\.0\.0\.1:1 does not answer/,
  });
});
