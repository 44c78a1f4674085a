/** Images of one owner share the bytes of the same picture until the last one is deleted. */
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import type { Image, UploadAnswer } from '../../contract.ts';
import { connect } from '../../database/connect.ts';
import { UNOWNED } from '../../database/process-registry.ts';
import type { DecoderPool } from '../../decoder/pool/pool.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp, listen, sharedDecoder, temporaryFolder } from '../../testing/app.ts';
import { countsHold, rowsOf } from '../../testing/collections/collection.ts';
import { insertOwner } from '../../testing/collections/gallery-rows.ts';
import { watchFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { form, postFiles, storeFiles } from '../../testing/form.ts';
import { picture, placed } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { createCabledDatabase } from '../../testing/postgres/database-cable.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { deleteAccount } from '../deletion/queries.ts';

let decodings = 0;
/** Blocks all decoding until it resolves. */
let held: Promise<unknown> = Promise.resolve();
const decoder: DecoderPool = {
  ...sharedDecoder,
  async decode(path, options) {
    decodings += 1;
    await (options?.signal ? Promise.race([held, once(options.signal, 'abort')]) : held);
    return sharedDecoder.decode(path, options);
  },
};

async function buildGallery(t: Test, database: { url: string; direct?: string }) {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir, databaseUrl: database.url, options: { decoder } });
  const url = database.direct ?? database.url;
  const remove = (account: TestAccount, { id }: { id: string }) =>
    app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });

  /** Creates an account. `decoded`, `rows` and `files` count from now on. */
  return async () => {
    await eventually('earlier tests left no orphaned blobs', async () => (await rowsOf(url)).orphaned === 0);
    const { images } = await rowsOf(url);
    const earlierDecodings = decodings;
    return {
      app,
      dataDir,
      remove,
      account: await signIn(app),
      decoded: () => decodings - earlierDecodings,
      async rows() {
        const rows = await rowsOf(url);
        return { ...rows, images: rows.images - images };
      },
      files: await watchFiles(dataDir),
      /** Sweeps. The app listens, so its minutely sweep may have the same rows in hand: that one ends later. */
      async sweep() {
        await app.sweeps.run();
        await eventually('no orphaned blobs', async () => (await rowsOf(url)).orphaned === 0);
      },
    };
  };
}

const bytes = await picture({ format: 'jpeg', width: 70, height: 50 });
const file = (name: string) => ({ name, bytes });
const database = await createTestDatabase(t);
const begin = await buildGallery(t, database);

const get = (app: FastifyInstance, url: string) => app.inject({ url: new URL(url).pathname });

async function isWhole(app: FastifyInstance, { url, thumbnail_url }: Image, bytes: Buffer): Promise<boolean> {
  const original = await get(app, url);
  const thumbnail = await get(app, thumbnail_url);
  return original.statusCode === 200 && original.rawPayload.equals(bytes) && thumbnail.statusCode === 200;
}

const eightNames = Array.from({ length: 8 }, (_, number) => `${number}.jpg`);

t.test('the same file eight times in one upload is decoded and stored once for eight images', async (t) => {
  const { app, account, rows, files, decoded } = await begin();
  const images = await storeFiles(app, account, eightNames.map(file));
  t.same(
    images.map(({ filename }) => filename),
    eightNames,
  );
  t.equal(new Set(images.map(({ id }) => id)).size, 8);
  t.equal(new Set(images.map(({ url }) => url)).size, 8);
  t.same(await rows(), { images: 8, orphaned: 0 });
  t.match(await files(), [/^originals/, /^thumbnails/]);
  t.equal((await files()).length, 2);
  t.equal(decoded(), 1);
  for (const image of images) t.ok(await isWhole(app, image, bytes));
  t.ok(await countsHold(database.url), 'each image counts against the quota');
});

t.test('eight concurrent requests with the same file store its bytes once for eight images', async (t) => {
  const { app, account, rows, files } = await begin();
  const answers = await Promise.all(eightNames.map((name) => storeFiles(app, account, [file(name)])));
  t.same(await rows(), { images: 8, orphaned: 0 });
  t.equal((await files()).length, 2);
  for (const [image] of answers) t.ok(image && (await isWhole(app, image, bytes)));
});
t.test('a file uploaded again is not decoded or stored, and has the same properties', async (t) => {
  const { app, account, decoded, rows, files } = await begin();
  const bytes = await placed();
  const [first] = await storeFiles(app, account, [{ name: 'a.jpg', bytes }]);
  const [again] = await storeFiles(app, account, [{ name: 'b.jpg', bytes }]);
  t.equal(decoded(), 1);
  t.same(await rows(), { images: 2, orphaned: 0 });
  t.equal((await files()).length, 2);
  const of = ({ width, height, size, content_type, placeholder, location }: Partial<Image> = {}) => {
    return { width, height, size, content_type, placeholder, location };
  };
  t.same(of(again), of(first));
  t.equal(again?.location, 'removed', 'the redaction is known too');
  t.not(again?.url, first?.url);
  t.same((await get(app, `${again?.url}`)).rawPayload, (await get(app, `${first?.url}`)).rawPayload);
});

t.test('a deletion ends only its own link, and shared bytes remain until the last deletion', async (t) => {
  const { app, account, remove, rows, files } = await begin();
  const [a, b] = await storeFiles(app, account, [file('a.jpg'), file('b.jpg')]);
  const [c] = await storeFiles(app, account, [file('c.jpg')]);
  if (!a || !b || !c) throw new Error('not stored');
  t.equal((await remove(account, a)).statusCode, 204);
  t.equal((await get(app, a.url)).statusCode, 404);
  t.ok(
    (await isWhole(app, b, bytes)) && (await isWhole(app, c, bytes)),
    'the bytes of the deleted image still serve the others',
  );
  t.same(await rows(), { images: 2, orphaned: 0 });
  const [d] = await storeFiles(app, account, [file('d.jpg')]);
  if (!d) throw new Error('not stored');
  for (const image of [b, c]) t.equal((await remove(account, image)).statusCode, 204);
  t.ok(await isWhole(app, d, bytes));
  t.ok(await countsHold(database.url));
  t.equal((await remove(account, d)).statusCode, 204);
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});

t.test('a picture that another account has is decoded and stored again', async (t) => {
  const { app, account, remove, decoded, files } = await begin();
  const [image] = await storeFiles(app, account, [file('a.jpg')]);
  const other = await signIn(app);
  const [theirs] = await storeFiles(app, other, [file('a.jpg')]);
  t.equal(decoded(), 2);
  t.equal((await files()).length, 4);
  await remove(account, { id: `${image?.id}` });
  t.ok(theirs && (await isWhole(app, theirs, bytes)));
  t.equal((await files()).length, 2);
});

t.test('two accounts that upload the same file concurrently do not share its decoding', async (t) => {
  const { app, account, decoded, files } = await begin();
  const other = await signIn(app);
  await Promise.all([account, other].map((each) => storeFiles(app, each, [file('a.jpg')])));
  t.equal(decoded(), 2);
  t.equal((await files()).length, 4);
});

for (const [what, spoil] of [
  ['missing', (path: string) => rm(path)],
  ['damaged', (path: string) => writeFile(path, 'not what it was')],
] as const) {
  t.test(`an original that is ${what} is repaired by an upload of the same file`, async (t) => {
    const { app, account, dataDir, decoded, rows, files } = await begin();
    const images = await storeFiles(app, account, [file('a.jpg'), file('b.jpg')]);
    const original = (await files()).find((key) => key.startsWith('originals/'));
    await spoil(join(dataDir, 'files', `${original}`));
    t.not((await get(app, `${images[0]?.url}`)).statusCode, 200);
    const [again] = await storeFiles(app, account, [file('c.jpg')]);
    t.equal(decoded(), 2);
    for (const image of [...images, again]) t.ok(image && (await isWhole(app, image, bytes)));
    t.same(await rows(), { images: 3, orphaned: 0 });
    t.equal((await files()).length, 2, 'no old bytes remain');
  });
}

t.test('a client that disconnects during decoding does not affect another upload of the same file', async (t) => {
  const { app, account, decoded, rows, files } = await begin();
  const origin = await listen(app);
  const { headers, payload } = await form([file('a.jpg')]);
  let release = (_?: unknown) => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  t.teardown(() => release());
  const leaving = new AbortController();
  const send = (signal?: AbortSignal) =>
    fetch(`${origin}/api/images/upload`, {
      method: 'POST',
      headers: { ...headers, ...account.bearer },
      body: new Uint8Array(payload),
      signal: signal ?? null,
    });
  const first = send(leaving.signal).catch(() => undefined);
  await eventually('the first upload is decoded', () => decoded() === 1);
  const second = send();
  await eventually('a second file', async () => (await files()).length === 2);
  leaving.abort();
  await eventually('the second upload is decoded', () => decoded() === 2);
  release();
  const answer = await second;
  t.equal(answer.status, 201);
  const { images } = (await answer.json()) as UploadAnswer;
  t.ok(images[0] && (await isWhole(app, images[0], bytes)));
  await first;
  await eventually('the files of one picture', async () => (await files()).length === 2);
  t.match(await rows(), { orphaned: 0 });
});

t.test('a refused file is decoded again when it is uploaded again', async (t) => {
  const { app, account, decoded } = await begin();
  const broken = (await picture({ format: 'jpeg', width: 400, height: 300 })).subarray(0, -400);
  for (const _ of [1, 2]) t.equal((await postFiles(app, account, [{ name: 'a.jpg', bytes: broken }])).statusCode, 422);
  t.equal(decoded(), 2);
});

t.test('a lost thumbnail is rebuilt once for all images that share it', async (t) => {
  const { app, account, dataDir, decoded, files } = await begin();
  const images = await storeFiles(app, account, [file('a.jpg'), file('b.jpg')]);
  const thumbnail = (await files()).find((key) => key.startsWith('thumbnails/'));
  await rm(join(dataDir, 'files', `${thumbnail}`));
  const answers = await Promise.all(images.map(({ thumbnail_url }) => get(app, thumbnail_url)));
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [200, 200],
  );
  t.equal(decoded(), 2, 'once');
});

t.test('an account deletion orphans each shared content once', async (t) => {
  const { app, account, rows, files, sweep } = await begin();
  await storeFiles(app, account, [file('a.jpg'), file('b.jpg'), { name: 'c.png', bytes: await picture() }]);
  t.same(await deleteAccount(app.db, account, UNOWNED), { images: 3, contents: 2 });
  t.same(await rows(), { images: 0, orphaned: 2 });
  await sweep();
  t.same(await rows(), { images: 0, orphaned: 0 });
  t.same(await files(), []);
});

t.test('shared bytes stay although they are listed as orphaned', async (t) => {
  const { app, account, remove, rows, files, sweep } = await begin();
  const [a] = await storeFiles(app, account, [file('a.jpg'), file('b.jpg')]);
  await remove(account, { id: `${a?.id}` });
  await query(
    database.url,
    `insert into orphaned_blobs (image_id, extension, process) values ('${a?.id}', 'jpg', ${UNOWNED})`,
  );
  await sweep();
  t.same(await rows(), { images: 1, orphaned: 0 });
  t.equal((await files()).length, 2);
});

t.test('after a commit whose answer was lost', async (t) => {
  const database = await createCabledDatabase(t);
  const begin = await buildGallery(t, database);

  t.test('a deletion keeps shared bytes', async (t) => {
    const { app, account, remove, rows, files, sweep } = await begin();
    const [a, b] = await storeFiles(app, account, [file('a.jpg'), file('b.jpg')]);
    if (!a || !b) throw new Error('not stored');
    const lose = async (image: Image) => {
      const lost = database.loseCommit('after');
      t.equal((await remove(account, image)).statusCode, 503);
      await lost;
      await sweep();
    };
    await lose(a);
    t.same(await rows(), { images: 1, orphaned: 0 });
    t.ok(await isWhole(app, b, bytes));
    await lose(b);
    t.same(await rows(), { images: 0, orphaned: 0 });
    t.same(await files(), [], 'the bytes under the first image’s id are removed');
  });

  t.test('an upload stores one set of bytes', async (t) => {
    const { app, account, dataDir, rows, files, sweep } = await begin();
    const [a] = await storeFiles(app, account, [file('a.jpg')]);
    const original = (await files()).find((key) => key.startsWith('originals/'));
    await writeFile(join(dataDir, 'files', `${original}`), 'damaged');
    const lost = database.loseCommit('after');
    t.equal((await postFiles(app, account, [file('b.jpg')])).statusCode, 503);
    await lost;
    await sweep();
    t.same(await rows(), { images: 2, orphaned: 0 });
    t.equal((await files()).length, 2);
    t.ok(a && (await isWhole(app, a, bytes)), 'the damaged image was repaired');
  });
});

t.test('concurrent uploads and deletions of the same file leave consistent rows and bytes', async (t) => {
  const { app, account, remove, rows, files } = await begin();
  let uploading = true;
  const left = new Map<string, Image>();
  const upload = async (client: number) => {
    for (let number = 0; number < 2; number += 1) {
      const [image] = await storeFiles(app, account, [file(`${client}-${number}.jpg`)]);
      if (image) left.set(image.id, image);
    }
  };
  const destroy = async () => {
    let deleted = 0;
    while (uploading) {
      const [image] = left.values();
      if (image && left.delete(image.id) && (await remove(account, image)).statusCode === 204) deleted += 1;
      await new Promise(setImmediate);
    }
    return deleted;
  };
  const destroyed = Promise.all([destroy(), destroy()]);
  await Promise.all(Array.from({ length: 8 }, (_, client) => upload(client)));
  uploading = false;
  const deleted = (await destroyed).reduce((sum, count) => sum + count, 0);
  t.comment(`${deleted} of 16 deleted`);
  t.same(await rows(), { images: 16 - deleted, orphaned: 0 });
  t.equal(left.size, 16 - deleted);
  for (const image of left.values()) t.ok(await isWhole(app, image, bytes));
  t.equal((await files()).length, left.size > 0 ? 2 : 0);
  for (const image of left.values()) t.equal((await remove(account, image)).statusCode, 204);
  await eventually('all files are removed', async () => (await files()).length === 0);
  t.ok(await countsHold(database.url));
});

t.test('the query for shared contents uses its index', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, close } = connect(url);
  t.teardown(close);
  const owner = await insertOwner(db);
  await query(
    url,
    `insert into images (id, owner_id, content_id, link_key, filename, search_name, extension, content_type, size, sha256,
      width, height, placeholder)
     select gen_random_uuid(), '${owner}', case when n % 50 = 0 then gen_random_uuid() end, md5(n::text), 'a', 'a', 'jpg',
      'image/jpeg', 1, md5(n::text) || md5(n::text), 1, 1, '' from generate_series(1, 2000) n;
     analyze images`,
  );
  const id = sha256Of(Buffer.from('any')).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
  const plan = async (sql: string) => (await query(url, `explain ${sql}`)).map((row) => row['QUERY PLAN']).join('\n');
  const naming = `select id from images where (content_id is null and id in ('${id}')) or content_id in ('${id}') limit 1`;
  t.match(await plan(naming), /images_pkey.*images_content|images_content.*images_pkey/s);
});
