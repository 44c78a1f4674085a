/** The order of bytes and rows, where a step fails or the database is lost. */
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

/** A new account, its images, all that is loose, and the files that have come since. */
async function begin(server: FastifyInstance, folder: string, url: string) {
  const account = await signIn(server);
  const before = new Set(await storedFiles(folder));
  return {
    account,
    async rows() {
      const [rows] = await query(
        url,
        `select (select count(*)::int from images where owner_id = '${account.id}') as images,
          (select count(*)::int from orphaned_blobs) as loose`,
      );
      return rows as { images: number; loose: number };
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

t.test('a stored image has its row and its bytes, and nothing is loose', async (t) => {
  const { upload, rows, files } = await beginHere();
  t.equal((await upload(2)).statusCode, 201);
  t.same(await rows(), { images: 2, loose: 0 });
  t.match(await files(), [/^originals/, /^originals/, /^thumbnails/, /^thumbnails/]);
  t.ok(await countsHold(database.url));
});

t.test('where the database refuses the row, the bytes go at once', async (t) => {
  const { account, upload, rows, files } = await beginHere();
  await query(database.url, `alter table images add constraint none check (owner_id <> '${account.id}') not valid`);
  t.equal((await upload(2)).statusCode, 500);
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('where the connection is lost before the commit, nothing stays', async (t) => {
  const { upload, rows, files } = await beginCabled();
  const lost = cable.loseCommit('before');
  t.match((await upload()).json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' });
  await lost;
  await eventually('the sweep of the loose bytes', async () => {
    await cabledApp.sweeps.run();
    return (await rows()).loose === 0;
  });
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('where the commit was done and its answer lost, the image and its bytes stay', async (t) => {
  const { upload, rows, files } = await beginCabled();
  const lost = cable.loseCommit('after');
  t.equal((await upload()).statusCode, 503);
  await lost;
  for (let round = 0; round < 3; round++) await cabledApp.sweeps.run();
  t.same(await rows(), { images: 1, loose: 0 });
  t.match(await files(), [/^originals/, /^thumbnails/]);
  t.ok(await countsHold(cable.direct));
});

t.test('bytes whose row a transaction still has in hand stay, however often they are swept', async (t) => {
  const { upload, rows, files } = await beginCabled();
  const lost = cable.loseCommit('before');
  t.equal((await upload()).statusCode, 503);
  await lost;
  // As a commit that hangs in the database: the rows are locked by a transaction that has not ended.
  const { sql, close } = connect(cable.direct, { max: 1 });
  t.teardown(close);
  await sql`begin`;
  await eventually('loose bytes to lock', async () => (await sql`delete from orphaned_blobs returning 1`).length > 0);
  await cabledApp.sweeps.run();
  t.equal((await files()).length, 2, 'still there');
  await sql`rollback`;
  await eventually('the sweep of the loose bytes', async () => {
    await cabledApp.sweeps.run();
    return (await rows()).loose === 0;
  });
  t.same(await files(), []);
});

t.test('a deletion whose commit was done and whose answer was lost still removes the bytes', async (t) => {
  const { account, upload, rows, files, firstId } = await beginCabled();
  await upload();
  const lost = cable.loseCommit('after');
  t.equal((await remove(cabledApp, account, await firstId())).statusCode, 503);
  await lost;
  t.same(await rows(), { images: 0, loose: 1 });
  await cabledApp.sweeps.run();
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('a deletion that was not committed leaves the image whole', async (t) => {
  const { account, upload, rows, files, firstId } = await beginCabled();
  await upload();
  const lost = cable.loseCommit('before');
  t.equal((await remove(cabledApp, account, await firstId())).statusCode, 503);
  await lost;
  await cabledApp.sweeps.run();
  t.same(await rows(), { images: 1, loose: 0 });
  t.equal((await files()).length, 2);
  t.ok(await countsHold(cable.direct));
});

t.test('bytes that could not be removed when their image was deleted go with a later sweep', async (t) => {
  const { account, upload, rows, files, firstId } = await beginHere();
  await upload();
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  t.equal((await remove(app, account, await firstId())).statusCode, 204, 'the link is dead all the same');
  await app.sweeps.run();
  t.same(await rows(), { images: 0, loose: 1 });
  await rename(join(dataDir, 'away'), join(dataDir, 'files'));
  await app.sweeps.run();
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});

t.test('a process that was taken for dead stores nothing that was swept under it', async (t) => {
  const { upload, rows, files } = await beginHere();
  // Another server takes the rows over the moment they are written.
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
  t.same(await rows(), { images: 0, loose: 0 });
});

t.test('images that are deleted all at once leave their bytes to the sweep', async (t) => {
  const { account, rows, files } = await beginHere();
  await storeFiles(app, account, [
    { name: 'a.png', bytes: await picture() },
    { name: 'b.jpg', bytes: await picture({ format: 'jpeg' }) },
  ]);
  t.same(await deleteImagesOf(app.db, account.id, UNOWNED), { images: 2, contents: 2 });
  t.same(await rows(), { images: 0, loose: 2 });
  t.ok(await countsHold(database.url));
  await app.sweeps.run();
  t.same(await rows(), { images: 0, loose: 0 });
  t.same(await files(), []);
});
