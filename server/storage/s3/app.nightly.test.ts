import { sql } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { countsHold, rowsOf } from '../../testing/collections/collection.ts';
import { storedFiles } from '../../testing/disk.ts';
import { postFiles, storeFiles } from '../../testing/form.ts';
import { noise, picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { createTestBucket, s3Config, storedObjects, withoutS3 } from '../../testing/s3.ts';
import { askOffset, askOutcome, cancelUpload, opened, sendPart } from '../../testing/tus.ts';

const pathOf = (url: string | undefined | null) => new URL(url ?? '').pathname;

async function start(t: Test) {
  const { url } = await createTestDatabase(t);
  const { bucket, cable } = await createTestBucket(t);
  const another = async () => buildTestApp(t, await s3Config(t, bucket, { databaseUrl: url }));
  const app = await another();
  return { app, another, url, bucket, cable, account: await signIn(app) };
}

t.test('a picture in the bucket is served whole, in ranges and as 304', { skip: withoutS3 }, async (t) => {
  const { app, another, account, bucket } = await start(t);
  const bytes = await noise(900, 700, 'png');
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes }]);
  t.match((await storedObjects(bucket)).map((key) => key.split('/')[0]).sort(), ['originals', 'thumbnails']);
  const link = pathOf(image?.url);
  const whole = await app.inject(link);
  t.ok(whole.rawPayload.equals(bytes));
  const { etag = '' } = whole.headers;
  t.equal((await app.inject({ url: link, headers: { 'if-none-match': String(etag) } })).statusCode, 304);
  for (const server of [app, await another()]) {
    const part = await server.inject({ url: link, headers: { range: 'bytes=100000-300000' } });
    t.equal(part.statusCode, 206);
    t.ok(part.rawPayload.equals(bytes.subarray(100_000, 300_001)));
    const thumbnail = await server.inject(pathOf(image?.thumbnail_url));
    t.match(thumbnail, { statusCode: 200, headers: { 'content-type': 'image/webp' } });
    const list = (await server.inject({ url: '/api/images/', headers: account.bearer })).json();
    t.match(list, { total: 1, images: [{ filename: 'a.png', size: bytes.length }] });
  }
});

t.test('missing renditions are made from the original in the bucket', { skip: withoutS3 }, async (t) => {
  const { app, another, account, bucket } = await start(t);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await noise(1900, 1200) }]);
  const screen = await app.inject(pathOf(image?.screen_url));
  t.match(screen, { statusCode: 200, headers: { 'content-type': 'image/webp' } });
  t.ok((await storedObjects(bucket)).some((key) => key.startsWith('screens/')));
  const [thumbnail = ''] = (await storedObjects(bucket)).filter((key) => key.startsWith('thumbnails/'));
  await app.storage.remove(thumbnail);
  const other = await another();
  t.equal((await other.inject(pathOf(image?.thumbnail_url))).statusCode, 200);
  t.ok((await storedObjects(bucket)).includes(thumbnail));
});

t.test(
  'a deleted picture and the bytes of a dead server are removed from the bucket',
  { skip: withoutS3 },
  async (t) => {
    const { app, account, bucket, url } = await start(t);
    const [image, other] = await storeFiles(app, account, [
      { name: 'a.png', bytes: await picture() },
      { name: 'b.png', bytes: await noise(40, 40, 'png') },
    ]);
    const remove = (id = '') =>
      app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    t.equal((await remove(image?.id)).statusCode, 204);
    t.equal((await app.inject(pathOf(image?.url))).statusCode, 404);
    t.equal((await storedObjects(bucket)).length, 2);
    // The state after a server crash: bytes without a row.
    await app.db.execute(sql`
    with gone as (delete from images returning id, extension)
    insert into orphaned_blobs (image_id, extension, process) select id, extension, 1 from gone`);
    await app.sweeps.run();
    t.same(await storedObjects(bucket), []);
    t.same(await rowsOf(url), { images: 0, orphaned: 0 });
    t.equal((await app.inject(pathOf(other?.url))).statusCode, 404);
  },
);

t.test('a resumable upload continues on any process after another one stops', { skip: withoutS3 }, async (t) => {
  const { app, another, account, bucket } = await start(t);
  const [first, second] = [await another(), await another()];
  const bytes = await noise(700, 500, 'png');
  const path = await opened(app, account, bytes.length);
  const step = 200_000;
  for (let at = 0; at < bytes.length; at += step) {
    const server = (at / step) % 2 === 0 ? first : second;
    t.equal((await askOffset(server, account, path)).headers['upload-offset'], String(at));
    if (at + step >= bytes.length) await first.close();
    const last = at + step >= bytes.length ? second : server;
    t.equal((await sendPart(last, account, path, at, bytes.subarray(at, at + step))).statusCode, 204);
  }
  const { image } = (await askOutcome(app, account, path)).json();
  t.ok((await app.inject(pathOf(image.url))).rawPayload.equals(bytes));
  t.same(
    (await storedObjects(bucket)).filter((key) => key.startsWith('partials/')),
    [],
  );
});

t.test(
  'of parts sent to several processes at once one counts, and the file is whole',
  { skip: withoutS3 },
  async (t) => {
    const { app, another, account, bucket } = await start(t);
    const servers = [app, await another(), await another()];
    const bytes = await noise(500, 400, 'png');
    const path = await opened(app, account, bytes.length);
    for (let at = 0; at < bytes.length; ) {
      // Each part has another length; all but one are refused.
      const answers = await Promise.all(
        servers.map((server, index) =>
          sendPart(server, account, path, at, bytes.subarray(at, at + 90_000 + 7_000 * index)),
        ),
      );
      const codes = answers.map(({ statusCode }) => statusCode);
      t.equal(codes.filter((code) => code === 204).length, 1, codes.join());
      t.ok(
        codes.every((code) => code === 204 || code === 409),
        codes.join(),
      );
      at = Number((await askOffset(servers[at % 3] ?? app, account, path)).headers['upload-offset']);
    }
    const outcomes = await Promise.all(servers.map((server) => askOutcome(server, account, path)));
    const ids = new Set(outcomes.map((answer) => answer.json().image.id));
    t.equal(ids.size, 1);
    t.ok((await app.inject(pathOf(outcomes[0]?.json().image.url))).rawPayload.equals(bytes));
    await app.sweeps.run();
    t.same(
      (await storedObjects(bucket)).map((key) => key.split('/')[0]),
      ['originals', 'thumbnails'],
      'no pieces are left, including refused ones',
    );
  },
);

t.test('cancelling an upload removes its pieces', { skip: withoutS3 }, async (t) => {
  const { app, another, account, bucket } = await start(t);
  const path = await opened(app, account, 1000);
  await sendPart(app, account, path, 0, Buffer.alloc(500));
  t.equal((await storedObjects(bucket)).length, 1);
  t.equal((await cancelUpload(await another(), account, path)).statusCode, 204);
  t.same(await storedObjects(bucket), []);
});

t.test('without its bucket the server refuses promptly, loses nothing and recovers', { skip: withoutS3 }, async (t) => {
  const { app, account, bucket, cable, url } = await start(t);
  const upload = async () => postFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const ready = async () => (await app.inject('/api/health/ready')).json();
  const bytes = await noise(300, 300, 'png');
  const [image, gone] = await storeFiles(app, account, [
    { name: 'before.png', bytes },
    { name: 'gone.png', bytes: await noise(50, 50, 'png') },
  ]);
  const path = await opened(app, account, 1000);
  await sendPart(app, account, path, 0, Buffer.alloc(400));
  t.match(await ready(), { status: 'ok' });

  await cable.pull();
  const away = { statusCode: 503, code: 'STORAGE_UNAVAILABLE' };
  t.match((await upload()).json(), away);
  t.match(await ready(), away);
  t.equal((await app.inject('/api/health/live')).statusCode, 200);
  t.equal((await app.inject(pathOf(image?.url))).statusCode, 503, 'the picture is not reported absent');
  t.match((await sendPart(app, account, path, 400, Buffer.alloc(600))).json(), away);
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '400');
  t.equal((await app.inject({ url: '/api/images/', headers: account.bearer })).json().total, 2);
  const remove = { method: 'DELETE', url: `/api/images/delete/${gone?.id}`, headers: account.bearer } as const;
  t.equal((await app.inject(remove)).statusCode, 204);
  t.equal((await rowsOf(url)).images, 1);
  await app.sweeps.run();

  await cable.plugIn();
  t.match(await ready(), { status: 'ok' });
  t.ok((await app.inject(pathOf(image?.url))).rawPayload.equals(bytes));
  await sendPart(app, account, path, 400, Buffer.alloc(600));
  t.match((await askOutcome(app, account, path)).json(), { state: 'refused', rejected: { code: 'NOT_AN_IMAGE' } });
  t.equal((await upload()).statusCode, 201);
  await app.sweeps.run();
  t.same(await rowsOf(url), { images: 2, orphaned: 0 });
  t.equal((await storedObjects(bucket)).length, 4);
  t.ok(await countsHold(url));
});

t.test('a closed server leaves no files in its local folder', { skip: withoutS3 }, async (t) => {
  const { url } = await createTestDatabase(t);
  const { bucket } = await createTestBucket(t);
  const config = await s3Config(t, bucket, { databaseUrl: url });
  const app = await buildTestApp(t, config);
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await noise(1900, 1200) }]);
  await app.inject(pathOf(image?.screen_url));
  t.same(await storedFiles(config.dataDir), []);
});
