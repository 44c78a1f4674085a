/** Damaged and missing files that are requested. */
import { createHash } from 'node:crypto';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { type SentFile, storeFiles } from '../testing/form.ts';
import { bulky, noise, picture } from '../testing/pictures.ts';
import { watchDecoder } from '../testing/watched-decoder.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (url: string) => new URL(url).pathname;

const dataDir = await temporaryFolder(t);
// The files decoded since the last upload.
const { decoder, decoded } = watchDecoder();
// Without a cache, each request reads from the disk.
const app = await buildTestApp(t, { dataDir, cacheSize: 0, options: { decoder } });
const origin = await listen(app);
const [photo, scan, small] = await Promise.all([noise(500, 300), noise(100, 80, 'tiff'), picture()]);

/** Creates an account with one image. */
async function openStage(file: SentFile) {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [file]);
  if (!image) throw new Error('nothing was stored');
  decoded.length = 0;
  /** The path of the image's only file in one of the storage's folders. */
  const fileIn = async (folder: 'originals' | 'thumbnails' | 'screens') => {
    const name = (await storedFiles(dataDir)).find((path) => path.startsWith(folder) && path.includes(image.id));
    if (!name) throw new Error(`nothing is in ${folder}`);
    return join(dataDir, 'files', name);
  };
  return { account, image, fileIn };
}

async function flipBit(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at).finally(() => file.close());
}

const damages: [string, (path: string) => Promise<void>][] = [
  ['missing', (path) => rm(path)],
  ['empty', (path) => writeFile(path, '')],
  ['damaged', (path) => flipBit(path, 200)],
  ['cut short', async (path) => writeFile(path, (await readFile(path)).subarray(0, 100))],
];

for (const [word, damage] of damages) {
  t.test(`a ${word} rendition is rebuilt when it is requested`, async (t) => {
    const { image, fileIn } = await openStage({ name: 'scan.tiff', bytes: scan });
    for (const [folder, url] of [
      ['thumbnails', image.thumbnail_url],
      ['screens', image.screen_url],
    ] as const) {
      const before = await app.inject(pathOf(url));
      await damage(await fileIn(folder));
      const answer = await app.inject(pathOf(url));
      t.equal(answer.statusCode, 200, folder);
      t.ok(answer.rawPayload.equals(before.rawPayload), 'the same bytes');
      t.equal(answer.headers.etag, before.headers.etag);
      t.equal(sha256(await readFile(await fileIn(folder))), sha256(before.rawPayload), 'also on the disk');
    }
    const count = decoded.length;
    t.equal(count, 2, 'one decode for each');
    await app.inject(pathOf(image.thumbnail_url));
    t.equal(decoded.length, count, 'no further decode');
  });
}

t.test('concurrent requests for a lost thumbnail rebuild it once', async (t) => {
  const { image, fileIn } = await openStage({ name: 'a.jpg', bytes: photo });
  await rm(await fileIn('thumbnails'));
  const answers = await Promise.all(Array.from({ length: 30 }, () => app.inject(pathOf(image.thumbnail_url))));
  for (const answer of answers) {
    t.equal(answer.statusCode, 200);
    t.equal((await sharp(answer.rawPayload).metadata()).width, 480);
  }
  t.equal(decoded.length, 1);
});

t.test('a lost thumbnail of a damaged original answers 500 without decoding', async (t) => {
  const { image, fileIn } = await openStage({ name: 'a.jpg', bytes: photo });
  await flipBit(await fileIn('originals'), 9_000);
  await rm(await fileIn('thumbnails'));
  for (let call = 0; call < 3; call += 1) {
    const answer = await app.inject(pathOf(image.thumbnail_url));
    t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL', message: /administrator/ });
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  t.equal(decoded.length, 0);
});

t.test('a thumbnail of a deleted image is not rebuilt', async (t) => {
  const { account, image, fileIn } = await openStage({ name: 'a.png', bytes: small });
  await rm(await fileIn('thumbnails'));
  const deleting = app.inject({ method: 'DELETE', url: `/api/images/delete/${image.id}`, headers: account.bearer });
  t.equal((await deleting).statusCode, 204);
  t.equal((await app.inject(pathOf(image.thumbnail_url))).statusCode, 404);
  t.equal(decoded.length, 0);
});

t.test('an original with a flipped bit is cut before its end and refused afterwards', async (t) => {
  const bytes = await bulky(1000, 500);
  const { account, image, fileIn } = await openStage({ name: 'large.png', bytes });
  const url = origin + pathOf(image.url);
  t.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes), 'intact at first');

  await flipBit(await fileIn('originals'), bytes.length - 1000);
  await t.rejects(
    fetch(url).then((answer) => answer.arrayBuffer()),
    'the connection is cut before the end',
  );
  const own = `/api/images/${image.id}/original`;
  for (const [path, headers] of [
    [pathOf(image.url), {}],
    [pathOf(image.url), { range: 'bytes=0-99' }],
    [own, account.bearer],
    [own, { range: 'bytes=-10', ...account.bearer }],
  ] as [string, Record<string, string>][]) {
    const answer = await app.inject({ url: path, headers });
    t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' }, JSON.stringify([path, headers.range]));
    t.equal(answer.headers['cache-control'], 'no-store');
    t.notOk(answer.headers.etag);
  }
});

t.test('a range of a damaged original is refused even as the first request', async (t) => {
  const { image, fileIn } = await openStage({ name: 'a.jpg', bytes: photo });
  await flipBit(await fileIn('originals'), photo.length - 10);
  const answer = await app.inject({ url: pathOf(image.url), headers: { range: 'bytes=0-9' } });
  t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
});

t.test('a small damaged original is refused before a byte of it is sent', async (t) => {
  const { image, fileIn } = await openStage({ name: 'a.png', bytes: small });
  await flipBit(await fileIn('originals'), 60);
  t.match((await app.inject(pathOf(image.url))).json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
});

t.test('an original with a wrong length is refused without being read', async (t) => {
  const { image, fileIn } = await openStage({ name: 'a.jpg', bytes: photo });
  const path = await fileIn('originals');
  for (const changed of [photo.subarray(0, -1), Buffer.concat([photo, Buffer.from('x')]), Buffer.alloc(0)]) {
    await writeFile(path, changed);
    for (const method of ['GET', 'HEAD'] as const) {
      t.equal((await app.inject({ method, url: pathOf(image.url) })).statusCode, 500);
    }
  }
  await writeFile(path, photo);
  t.equal((await app.inject(pathOf(image.url))).statusCode, 200, 'served again after it is restored');
});

t.test('a client that disconnects during verification leaves no file open', async (t) => {
  const { image, fileIn } = await openStage({ name: 'large.png', bytes: await bulky(2000, 1500) });
  const path = await fileIn('originals');
  const { readdir, readlink } = await import('node:fs/promises');
  const isOpen = async () => {
    const names = await readdir('/proc/self/fd').catch(() => []);
    const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    return targets.includes(path);
  };
  const leaving = new AbortController();
  const answer = await fetch(origin + pathOf(image.url), { signal: leaving.signal });
  t.equal(answer.status, 200);
  leaving.abort();
  await eventually('the original is closed', async () => !(await isOpen()));
  t.equal((await app.inject(pathOf(image.url))).statusCode, 200);
});
