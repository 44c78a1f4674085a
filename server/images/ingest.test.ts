/** The order of bytes and rows, where a step fails or the database is lost. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { connect } from '../database/connect.ts';
import { nobody } from '../database/presence.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { countsHold, rowsOf } from '../testing/collection.ts';
import { createTestDatabase } from '../testing/database.ts';
import { createCabledDatabase } from '../testing/database-cable.ts';
import { storedFiles } from '../testing/disk.ts';
import { query } from '../testing/embedded.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { deleteImagesOf } from './deletion-queries.ts';

async function prepare(t: Test, database: { url: string; direct?: string }) {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir, databaseUrl: database.url });
  const account = await signIn(app);
  const pictures = await Promise.all(['#3a7', '#73a'].map((colour) => picture({ colour })));
  return {
    app,
    dataDir,
    account,
    rows: () => rowsOf(database.direct ?? database.url),
    upload: (count = 1) =>
      postFiles(
        app,
        account,
        pictures.slice(0, count).map((bytes, index) => ({ name: `${index}.png`, bytes })),
      ),
    files: () => storedFiles(dataDir),
  };
}

const remove = (app: FastifyInstance, { bearer }: TestAccount, id: unknown) =>
  app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: bearer });

const firstId = async (url: string) => (await query(url, 'select id from images'))[0]?.id;

t.test('a stored image has its row and its bytes, and nothing is loose', async (t) => {
  const database = await createTestDatabase(t);
  const { upload, rows, files } = await prepare(t, database);
  t.equal((await upload(2)).statusCode, 201);
  t.same(await rows(), { images: 2, loose: 0 });
  t.match(await files(), [/^originals/, /^originals/, /^thumbnails/, /^thumbnails/]);
  t.ok(await countsHold(database.url));
});

t.test('where the database refuses the row, the bytes go at once', async (t) => {
  const database = await createTestDatabase(t);
  const { upload, rows, files } = await prepare(t, database);
  await query(database.url, 'alter table images add constraint none check (false)');
  t.equal((await upload(2)).statusCode, 500);
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('where the connection is lost before the commit, nothing stays', async (t) => {
  const database = await createCabledDatabase(t);
  const { app, upload, rows, files } = await prepare(t, database);
  const lost = database.loseCommit('before');
  t.match((await upload()).json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' });
  await lost;
  await eventually('the sweep of the loose bytes', async () => {
    await app.sweep();
    return (await rows()).loose === 0;
  });
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('where the commit was done and its answer lost, the image and its bytes stay', async (t) => {
  const database = await createCabledDatabase(t);
  const { app, upload, rows, files } = await prepare(t, database);
  const lost = database.loseCommit('after');
  t.equal((await upload()).statusCode, 503);
  await lost;
  for (let round = 0; round < 3; round++) await app.sweep();
  t.same(await rows(), { images: 1, loose: 0 });
  t.match(await files(), [/^originals/, /^thumbnails/]);
  t.ok(await countsHold(database.direct));
});

t.test('bytes whose row a transaction still has in hand stay, however often they are swept', async (t) => {
  const database = await createCabledDatabase(t);
  const { app, upload, rows, files } = await prepare(t, database);
  const lost = database.loseCommit('before');
  t.equal((await upload()).statusCode, 503);
  await lost;
  // As a commit that hangs in the database: the rows are locked by a transaction that has not ended.
  const { sql, close } = connect(database.direct, { max: 1 });
  t.teardown(close);
  await sql`begin`;
  await eventually('loose bytes to lock', async () => (await sql`delete from loose_bytes returning 1`).length > 0);
  await app.sweep();
  t.equal((await files()).length, 2, 'still there');
  await sql`rollback`;
  await eventually('the sweep of the loose bytes', async () => {
    await app.sweep();
    return (await rows()).loose === 0;
  });
  t.same(await files(), []);
});

t.test('a deletion whose commit was done and whose answer was lost still removes the bytes', async (t) => {
  const database = await createCabledDatabase(t);
  const { app, account, upload, rows, files } = await prepare(t, database);
  await upload();
  const lost = database.loseCommit('after');
  t.equal((await remove(app, account, await firstId(database.direct))).statusCode, 503);
  await lost;
  t.same(await rows(), { images: 0, loose: 1 });
  await app.sweep();
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('a deletion that was not committed leaves the image whole', async (t) => {
  const database = await createCabledDatabase(t);
  const { app, account, upload, rows, files } = await prepare(t, database);
  await upload();
  const lost = database.loseCommit('before');
  t.equal((await remove(app, account, await firstId(database.direct))).statusCode, 503);
  await lost;
  await app.sweep();
  t.same(await rows(), { images: 1, loose: 0 });
  t.equal((await files()).length, 2);
  t.ok(await countsHold(database.direct));
});

t.test('bytes that could not be removed when their image was deleted go with a later sweep', async (t) => {
  const database = await createTestDatabase(t);
  const { app, account, dataDir, upload, rows, files } = await prepare(t, database);
  await upload();
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  t.equal((await remove(app, account, await firstId(database.url))).statusCode, 204, 'the link is dead all the same');
  await app.sweep();
  t.same(await rows(), { images: 0, loose: 1 });
  await rename(join(dataDir, 'away'), join(dataDir, 'files'));
  await app.sweep();
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('a process that was taken for dead stores nothing that was swept under it', async (t) => {
  const database = await createTestDatabase(t);
  const { app, upload, rows, files } = await prepare(t, database);
  // Another server takes the rows over the moment they are written.
  await query(
    database.url,
    `create function take() returns trigger language plpgsql as $$ begin new.process := 7; return new; end $$;
     create trigger taken before insert on loose_bytes for each row execute function take()`,
  );
  t.match((await upload()).json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' });
  t.same(await files(), []);
  await app.sweep();
  t.same(await rows(), { images: 0, loose: 0 });
});

t.test('images that are deleted all at once leave their bytes to the sweep', async (t) => {
  const database = await createTestDatabase(t);
  const { app, account, rows, files } = await prepare(t, database);
  await storeFiles(app, account, [
    { name: 'a.png', bytes: await picture() },
    { name: 'b.jpg', bytes: await picture({ format: 'jpeg' }) },
  ]);
  t.same(await deleteImagesOf(app.db, account.id, nobody), { images: 2, contents: 2 });
  t.same(await rows(), { images: 0, loose: 2 });
  t.ok(await countsHold(database.url));
  await app.sweep();
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});
