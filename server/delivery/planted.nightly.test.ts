/** Plain bytes planted instead of sealed ones by an attacker without the key. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import type { Image } from '../contract.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, type TestOptions, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';

t.setTimeout(240_000);

const pathOf = (url: string) => new URL(url).pathname;
const encryptionKey = randomBytes(32);

async function gallery(t: Test) {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  const start = (options: TestOptions) => buildTestApp(t, { databaseUrl: url, dataDir, cacheSize: 0, ...options });
  const filesIn = async (folder: string) =>
    (await storedFiles(dataDir)).filter((path) => path.startsWith(folder)).map((path) => join(dataDir, 'files', path));
  return { start, filesIn };
}

async function storeOne(app: FastifyInstance, bytes: Buffer): Promise<Image> {
  const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes }]);
  if (!image) throw new Error('nothing was stored');
  return image;
}

/** A small picture padded with zeros to `size`. */
async function paddedTo(size: number): Promise<Buffer> {
  const red = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([red, Buffer.alloc(size - red.length)]);
}

const isSealed = async (path: string) => (await readFile(path)).subarray(1, 7).toString() === 'SEALED';

/** @returns the received bytes, even if the response is cut off */
const receive = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; body: Buffer }>((resolve, reject) => {
    const call = request(url, { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      const end = () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) });
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', end)
        .on('error', end);
    });
    call.on('error', reject).end();
  });

t.test('a plain picture planted instead of a sealed original is refused before its first byte', async (t) => {
  const { start, filesIn } = await gallery(t);
  const bytes = await noise(900, 700, 'png');
  t.ok(bytes.length > 1_200_000, 'larger than the bytes sent before verification');
  const app = await start({ encryptionKey });
  const image = await storeOne(app, bytes);
  const origin = await listen(app);
  const [path = ''] = await filesIn('originals');
  const planted = await paddedTo(bytes.length);
  await writeFile(path, planted);
  for (const headers of [{}, { range: 'bytes=0-99' }, { range: 'bytes=-10' }] as Record<string, string>[]) {
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await receive(origin + pathOf(image.url), headers);
      t.equal(status, 500);
      t.equal(JSON.parse(body.toString()).code, 'DAMAGED_ORIGINAL');
    }
  }
  t.equal((await app.inject({ method: 'HEAD', url: pathOf(image.url) })).statusCode, 500);
});

t.test('the owner gets no planted bytes, alone or in an archive', async (t) => {
  const { start, filesIn } = await gallery(t);
  const bytes = await noise(900, 700, 'png');
  const app = await start({ encryptionKey });
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes }]);
  const [path = ''] = await filesIn('originals');
  const planted = await paddedTo(bytes.length);
  await writeFile(path, planted);
  const { bearer: headers } = account;
  const own = await app.inject({ url: `/api/images/${image?.id}/original`, headers });
  t.match(own.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
  const archive = await app.inject({ url: `/api/images/archive?ids=${image?.id}`, headers });
  t.equal(archive.statusCode, 200);
  t.notOk(archive.rawPayload.includes(planted.subarray(0, 100)));
  t.match(archive.rawPayload.toString('latin1'), 'not-included.txt');
});

t.test('the right bytes planted as plaintext are refused, and the next upload of the picture repairs it', async (t) => {
  const { start, filesIn } = await gallery(t);
  const bytes = await noise(600, 400, 'png');
  const app = await start({ encryptionKey });
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes }]);
  const link = pathOf(image?.url ?? '');
  t.equal((await app.inject(link)).statusCode, 200);
  const [path = ''] = await filesIn('originals');
  await writeFile(path, bytes);
  t.match((await app.inject(link)).json(), { code: 'DAMAGED_ORIGINAL' });
  await storeFiles(app, account, [{ name: 'b.png', bytes }]);
  const healed = await app.inject(link);
  t.equal(healed.statusCode, 200);
  t.ok(healed.rawPayload.equals(bytes));
  for (const stored of await filesIn('originals')) t.ok(await isSealed(stored), 'sealed');
});

t.test('a plain thumbnail planted instead of a sealed one is rebuilt and sealed', async (t) => {
  const { start, filesIn } = await gallery(t);
  const app = await start({ encryptionKey });
  const image = await storeOne(app, await noise(600, 400));
  const link = pathOf(image.thumbnail_url);
  const { rawPayload } = await app.inject(link);
  const [path = ''] = await filesIn('thumbnails');
  for (const planted of [await paddedTo(rawPayload.length), rawPayload]) {
    await writeFile(path, planted);
    const answer = await app.inject(link);
    t.equal(answer.statusCode, 200);
    t.ok(answer.rawPayload.equals(rawPayload));
    t.ok(await isSealed(path));
  }
});

t.test('no rendition is made from a plain picture planted instead of a sealed original', async (t) => {
  const { start, filesIn } = await gallery(t);
  const app = await start({ encryptionKey });
  const bytes = await noise(600, 400);
  const image = await storeOne(app, bytes);
  const [[original = ''], [thumbnail = '']] = [await filesIn('originals'), await filesIn('thumbnails')];
  await writeFile(original, bytes);
  await writeFile(thumbnail, 'x');
  t.match((await app.inject(pathOf(image.thumbnail_url))).json(), { code: 'DAMAGED_ORIGINAL' });
});

t.test('with a key, a plain original is verified before its first byte is sent', async (t) => {
  const { start, filesIn } = await gallery(t);
  const bytes = await noise(900, 700, 'png');
  const before = await start({});
  const image = await storeOne(before, bytes);
  await before.close();
  const app = await start({ encryptionKey });
  const origin = await listen(app);
  t.ok((await receive(origin + pathOf(image.url), {})).body.equals(bytes), 'the intact original is served');
  const [path = ''] = await filesIn('originals');
  await writeFile(path, await paddedTo(bytes.length));
  const { status, body } = await receive(origin + pathOf(image.url), {});
  t.equal(status, 500);
  t.equal(JSON.parse(body.toString()).code, 'DAMAGED_ORIGINAL');
});

t.test('with only a previous key, renditions are rebuilt as plaintext and served', async (t) => {
  const { start, filesIn } = await gallery(t);
  const sealed = await start({ encryptionKey });
  const bytes = await noise(600, 400);
  const image = await storeOne(sealed, bytes);
  const link = pathOf(image.thumbnail_url);
  const { rawPayload } = await sealed.inject(link);
  await sealed.close();

  const app = await start({ encryptionKeyPrevious: [encryptionKey] });
  const [path = ''] = await filesIn('thumbnails');
  await writeFile(path, 'lost');
  for (let time = 0; time < 2; time += 1) t.ok((await app.inject(link)).rawPayload.equals(rawPayload));
  t.notOk(await isSealed(path));
  t.same(
    [...(await app.db.execute(sql`select sealed, renditions_sealed from images`))],
    [{ sealed: true, renditions_sealed: false }],
  );
  await app.close();
  const again = await start({ encryptionKey });
  t.ok((await again.inject(link)).rawPayload.equals(rawPayload), 'also with the key set again');
  t.ok((await again.inject(pathOf(image.url))).rawPayload.equals(bytes));
});
