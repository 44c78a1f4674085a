/** Bytes and rows when a step fails or the database connection is lost. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { connect } from '../database/connect.ts';
import { UNOWNED } from '../database/process-registry.ts';
import { deleteImagesOf } from '../images/deletion/queries.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { countsHold } from '../testing/collections/collection.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { query } from '../testing/postgres/embedded.ts';

const database = await createTestDatabase(t);
const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir, databaseUrl: database.url });
const cable = await createCabledDatabase(t);
const cabledDir = await temporaryFolder(t);
const cabledApp = await buildTestApp(t, { dataDir: cabledDir, databaseUrl: cable.url });
const pictures = await Promise.all(['#3a7', '#73a'].map((colour) => picture({ colour })));

/** Creates an account. `rows` counts its images and all orphaned blobs; `files` lists the files added since. */
async function begin(server: FastifyInstance, folder: string, url: string) {
  const account = await signIn(server);
  const before = new Set(await storedFiles(folder));
  return {
    account,
    async rows() {
      const [rows] = await query(
        url,
        `select (select count(*)::int from images where owner_id = '${account.id}') as images,
          (select count(*)::int from orphaned_blobs) as orphaned`,
      );
      return rows as { images: number; orphaned: number };
    },
    firstId: async () => (await query(url, `select id from images where owner_id = '${account.id}'`))[0]?.id,
    upload: (count = 1) =>
      postFiles(
        server,
        account,
        pictures.slice(0, count).map((bytes, index) => ({ name: `${index}.png`, bytes })),
      ),
    files: async () => (await storedFiles(folder)).filter((file) => !before.has(file)),
  };
}

const beginHere = () => begin(app, dataDir, database.url);
const beginCabled = () => begin(cabledApp, cabledDir, cable.direct);

const remove = (app: FastifyInstance, { bearer }: TestAccount, id: unknown) =>
  app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: bearer });

t.test('a stored image has its row and its bytes, and no orphaned blobs remain', async (t) => {
  const { upload, rows, files } = await beginHere();
  t.equal((await upload(2)).statusCode, 201);
  t.same(await rows(), { images: 2, orphaned: 0 });
  t.match(await files(), [/^originals/, /^originals/, /^thumbnails/, /^thumbnails/]);
  t.ok(await countsHold(database.url));
});

t.test('the bytes are removed at once if the database refuses the row', async (t) => {
  const { account, upload, rows, files } = await beginHere();
  await query(database.url, `alter table images add constraint none check (owner_id <> '${account.id}') not valid`);
  t.equal((await upload(2)).statusCode, 500);
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});

t.test('an upload that loses the database before the commit leaves nothing after a sweep', async (t) => {
  const { upload, rows, files } = await beginCabled();
  const lost = cable.loseCommit('before');
  t.match((await upload()).json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' });
  await lost;
  await eventually('the orphaned blobs are swept', async () => {
    await cabledApp.sweeps.run();
    return (await rows()).orphaned === 0;
  });
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});

t.test('an upload that loses the answer to its commit keeps the image and its bytes', async (t) => {
  const { upload, rows, files } = await beginCabled();
  const lost = cable.loseCommit('after');
  t.equal((await upload()).statusCode, 503);
  await lost;
  for (let round = 0; round < 3; round++) await cabledApp.sweeps.run();
  t.same(await rows(), { images: 1, orphaned: 0 });
  t.match(await files(), [/^originals/, /^thumbnails/]);
  t.ok(await countsHold(cable.direct));
});

t.test('a sweep keeps bytes whose row is locked by an open transaction', async (t) => {
  const { upload, rows, files } = await beginCabled();
  const lost = cable.loseCommit('before');
  t.equal((await upload()).statusCode, 503);
  await lost;
  // Simulates a commit that hangs: an open transaction locks the rows.
  const { sql, close } = connect(cable.direct, { max: 1 });
  t.teardown(close);
  await sql`begin`;
  await eventually(
    'orphaned blobs are locked',
    async () => (await sql`delete from orphaned_blobs returning 1`).length > 0,
  );
  await cabledApp.sweeps.run();
  t.equal((await files()).length, 2, 'the files remain');
  await sql`rollback`;
  await eventually('the orphaned blobs are swept', async () => {
    await cabledApp.sweeps.run();
    return (await rows()).orphaned === 0;
  });
  t.same(await files(), []);
});

t.test('a deletion that loses the answer to its commit removes the bytes in the next sweep', async (t) => {
  const { account, upload, rows, files, firstId } = await beginCabled();
  await upload();
  const lost = cable.loseCommit('after');
  t.equal((await remove(cabledApp, account, await firstId())).statusCode, 503);
  await lost;
  t.same(await rows(), { images: 0, orphaned: 1 });
  await cabledApp.sweeps.run();
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});

t.test('a deletion that loses the database before its commit keeps the image and its bytes', async (t) => {
  const { account, upload, rows, files, firstId } = await beginCabled();
  await upload();
  const lost = cable.loseCommit('before');
  t.equal((await remove(cabledApp, account, await firstId())).statusCode, 503);
  await lost;
  await cabledApp.sweeps.run();
  t.same(await rows(), { images: 1, orphaned: 0 });
  t.equal((await files()).length, 2);
  t.ok(await countsHold(cable.direct));
});

t.test('bytes that could not be removed with their image are removed by a later sweep', async (t) => {
  const { account, upload, rows, files, firstId } = await beginHere();
  await upload();
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  t.equal((await remove(app, account, await firstId())).statusCode, 204, 'the image is deleted anyway');
  await app.sweeps.run();
  t.same(await rows(), { images: 0, orphaned: 1 });
  await rename(join(dataDir, 'away'), join(dataDir, 'files'));
  await app.sweeps.run();
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});

t.test('a process that was taken for dead stores nothing whose bytes were swept', async (t) => {
  const { upload, rows, files } = await beginHere();
  // Another server takes over the rows when they are inserted.
  await query(
    database.url,
    `create function take() returns trigger language plpgsql as $$ begin new.process := 7; return new; end $$;
     create trigger taken before insert on orphaned_blobs for each row execute function take()`,
  );
  const answer = await upload();
  await query(database.url, 'drop trigger taken on orphaned_blobs');
  t.match(answer.json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' });
  t.same(await files(), []);
  await app.sweeps.run();
  t.same(await rows(), { images: 0, orphaned: 0 });
});

t.test('the sweep removes the bytes of images deleted in bulk', async (t) => {
  const { account, rows, files } = await beginHere();
  await storeFiles(app, account, [
    { name: 'a.png', bytes: await picture() },
    { name: 'b.jpg', bytes: await picture({ format: 'jpeg' }) },
  ]);
  t.same(await deleteImagesOf(app.db, account.id, UNOWNED), { images: 2, contents: 2 });
  t.same(await rows(), { images: 0, orphaned: 2 });
  t.ok(await countsHold(database.url));
  await app.sweeps.run();
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});
