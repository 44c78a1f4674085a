import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { UploadAnswer } from '../contract.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { storedFiles, watchFiles } from '../testing/disk.ts';
import { form, postFiles, storeFiles } from '../testing/form.ts';
import { noise, picture, svg } from '../testing/pictures.ts';

const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir });

/** The data folder of an app with low limits. */
const strictDataDir = await temporaryFolder(t);
let onDecode = (_path: string) => {};
const strict = await buildTestApp(t, {
  dataDir: strictDataDir,
  maxFileSize: 20_000,
  maxPixels: 10_000,
  maxFiles: 3,
  publicUrl: 'https://img.example.com',
});
strict.decoder.subscribe({ onStarted: (path) => onDecode(path) });

t.test('an upload answers with the stored images in the order sent', async (t) => {
  const account = await signIn(app);
  const photo = await picture({ format: 'jpeg', width: 300, height: 200, orientation: 6 });
  const answer = await postFiles(app, account, [
    { name: 'turned.jpg', bytes: photo },
    { name: 'drawing.svg', bytes: svg },
  ]);
  t.equal(answer.statusCode, 201);
  const { images, rejected } = answer.json();
  t.same(rejected, []);
  t.equal(images.length, 2);
  t.match(images[0], {
    filename: 'turned.jpg',
    width: 200,
    height: 300,
    size: photo.length,
    content_type: 'image/jpeg',
    url: /^http:\/\/localhost:80\/i\/[\w-]{22}\.jpg$/,
    thumbnail_url: /^http:\/\/localhost:80\/i\/[\w-]{22}\/thumbnail\.webp$/,
    uploaded_at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    placeholder: /^[A-Za-z0-9+/=]{10,60}$/,
  });
  t.equal(images[0].screen_url, images[0].url);
  t.match(images[1], { filename: 'drawing.svg', content_type: 'image/svg+xml', width: 80, height: 40 });
});

t.test('the type is detected from the bytes, not from the name or the declared type', async (t) => {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [
    { name: 'lie.png', type: 'image/png', bytes: await picture({ format: 'webp' }) },
  ]);
  t.match(image, { filename: 'lie.png', content_type: 'image/webp', url: /\.webp$/ });
});

t.test('the name of .NET and PowerShell is decoded', async (t) => {
  const account = await signIn(app);
  const bytes = await picture();
  const names = [
    // The base64 contains a slash.
    `name=images; filename="=?utf-8?B?w7/Dv8O/LnBuZw==?="; filename*=utf-8''%C3%BF%C3%BF%C3%BF.png`,
    `name="images"; filename="=?utf-8?B?w7/Dv8O/LnBuZw==?="; filename*=utf-8''%C3%BF%C3%BF%C3%BF.png`,
    `name="images"; filename*=utf-8''%C3%BF%C3%BF%C3%BF.png`,
  ];
  const parts = names.map((name) => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const answer = await app.inject({
    method: 'POST',
    url: '/api/images/upload',
    headers: { ...account.bearer, 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([...parts.flat(), Buffer.from('--b--\r\n')]),
  });
  t.same(
    answer.json<UploadAnswer>().images.map(({ filename }) => filename),
    names.map(() => 'ÿÿÿ.png'),
  );
});

t.test('a format that browsers cannot show gets a screen rendition', async (t) => {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [
    { name: 'scan.tiff', bytes: await picture({ format: 'tiff', width: 1700, height: 850 }) },
  ]);
  t.match(image?.screen_url, /\/screen\.webp$/);
  const screen = await app.inject(new URL(image?.screen_url ?? '').pathname);
  t.match(await sharp(screen.rawPayload).metadata(), { format: 'webp', width: 1600, height: 800 });
});

t.test('one damaged file among forty is rejected and the others are stored', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const good = await Promise.all(Array.from({ length: 40 }, (_, index) => noise(60 + index, 60)));
  const files = good.map((bytes, index) => ({
    name: `${index}.jpg`,
    bytes: index === 17 ? bytes.subarray(0, bytes.length / 2) : bytes,
  }));
  const answer = await postFiles(app, account, files);
  t.equal(answer.statusCode, 207);
  const { images, rejected } = answer.json();
  t.same(
    images.map((image: { filename: string }) => image.filename),
    files.map(({ name }) => name).filter((name) => name !== '17.jpg'),
  );
  t.match(rejected, [{ filename: '17.jpg', code: 'DAMAGED_IMAGE', message: /damaged or incomplete/ }]);
  t.equal((await addedFiles()).length, 39 * 2, 'one original and one thumbnail for each, and no staged files');
});

t.test('an upload of which nothing is stored answers with the first refusal', async (t) => {
  const addedFiles = await watchFiles(strictDataDir);
  const account = await signIn(strict);
  const png = await picture();
  const cases: [string, Uint8Array | string, number, string][] = [
    ['empty.jpg', '', 422, 'EMPTY_FILE'],
    ['page.png', '<!doctype html><script>alert(1)</script>', 415, 'NOT_AN_IMAGE'],
    ['cut.png', png.subarray(0, png.length - 20), 422, 'DAMAGED_IMAGE'],
    ['large.jpg', Buffer.concat([await noise(90, 90), Buffer.alloc(20_000)]), 413, 'FILE_TOO_LARGE'],
    ['wide.png', await picture({ width: 101, height: 100 }), 422, 'TOO_MANY_PIXELS'],
  ];
  for (const [name, bytes, status, code] of cases) {
    const answer = await postFiles(strict, account, [{ name, bytes }]);
    t.equal(answer.statusCode, status, name);
    t.match(answer.json(), { statusCode: status, code, message: /./ });
  }
  const both = await postFiles(strict, account, [
    { name: 'page.png', bytes: 'text' },
    { name: 'empty.jpg', bytes: '' },
  ]);
  t.equal(both.statusCode, 415, 'the first refusal');
  t.match(both.json().rejected, [
    { filename: 'page.png', code: 'NOT_AN_IMAGE' },
    { filename: 'empty.jpg', code: 'EMPTY_FILE' },
  ]);
  t.same(await addedFiles(), []);
});

t.test('a form without a file in the field answers 400', async (t) => {
  const { bearer } = await signIn(app);
  const text = new FormData();
  text.append('images', 'a text, not a file');
  const fields = new Response(text);
  const sent = [
    {
      headers: { 'content-type': fields.headers.get('content-type') ?? '' },
      payload: Buffer.from(await fields.arrayBuffer()),
    },
    await form([{ name: 'a.png', bytes: await picture(), field: 'pictures' }]),
    await form([{ name: '', bytes: '' }]),
  ];
  for (const { headers, payload } of sent) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/images/upload',
      headers: { ...headers, ...bearer },
      payload,
    });
    t.equal(answer.statusCode, 400, answer.body);
    t.equal(answer.json().code, 'NO_FILE');
  }
});

t.test('a form with too many files answers 413 and stores nothing', async (t) => {
  const addedFiles = await watchFiles(strictDataDir);
  const account = await signIn(strict);
  const bytes = await picture();
  const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}.png`, bytes }));
  const refused = await postFiles(strict, account, named(4));
  t.equal(refused.statusCode, 413);
  t.match(refused.json(), { code: 'TOO_MANY_FILES', message: /At most 3 files/ });
  t.same(await addedFiles(), []);
  t.equal((await postFiles(strict, account, named(3))).statusCode, 201);
});

t.test('two files with the same name and bytes become two images with different links', async (t) => {
  const account = await signIn(app);
  const file = { name: 'same.png', bytes: await picture() };
  const [one, other] = await storeFiles(app, account, [file, file]);
  t.not(one?.id, other?.id);
  t.not(one?.url, other?.url);
});

t.test('an upload without a valid session answers 401', async (t) => {
  const answer = await postFiles(app, { bearer: { authorization: 'Bearer none' } }, [
    { name: 'a.png', bytes: await picture() },
  ]);
  t.equal(answer.statusCode, 401);
});

t.test('the stored bytes are the bytes that were sent', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const bytes = await noise(400, 300);
  await storeFiles(app, await signIn(app), [{ name: 'photo.jpg', bytes }]);
  const original = (await addedFiles()).find((path) => path.startsWith('originals')) ?? '';
  const stored = await readFile(join(dataDir, 'files', original));
  t.equal(createHash('sha256').update(stored).digest('hex'), createHash('sha256').update(bytes).digest('hex'));
});

t.test('file names are cleaned and never become part of a path', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const bytes = await picture();
  const images = await storeFiles(app, account, [
    { name: '../../../evil.png', bytes },
    { name: 'صورة العائلة.png', bytes },
    { name: '🌇"\';--<b>.png', bytes },
  ]);
  t.same(
    images.map(({ filename }) => filename),
    ['evil.png', 'صورة العائلة.png', '🌇"\';--<b>.png'],
  );
  for (const path of await addedFiles())
    t.match(path, /^(originals|thumbnails)\/[\da-f]{2}\/[\da-f-]{36}\.(png|webp)$/);
});

t.test('links use PUBLIC_URL or the valid host of the request', async (t) => {
  const [image] = await storeFiles(strict, await signIn(strict), [{ name: 'a.png', bytes: await picture() }]);
  t.match(image?.url, /^https:\/\/img\.example\.com\/i\//);

  const { bearer } = await signIn(app);
  const list = (host: string) => app.inject({ url: '/api/images/', headers: { ...bearer, host } });
  t.equal((await list('evil.example/"><script>')).statusCode, 400);
  t.equal((await list('[::1]:3000')).statusCode, 200);
});

t.test('an upload answers 503 DECODER_UNAVAILABLE and stores nothing when the decoder cannot start', async (t) => {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir, ownDecoders: true });
  const account = await signIn(app);
  const { execPath } = process;
  t.teardown(() => {
    process.execPath = execPath;
  });
  process.execPath = '/nowhere/node';
  const refused = await postFiles(app, account, [{ name: 'good.png', bytes: await picture() }]);
  t.match(refused, { statusCode: 503 });
  t.match(refused.json(), { code: 'DECODER_UNAVAILABLE', message: /try again/ });
  t.same(await storedFiles(dataDir), []);
  process.execPath = execPath;
  t.equal((await postFiles(app, account, [{ name: 'good.png', bytes: await picture() }])).statusCode, 201);
});

t.test('an upload answers 503 STORAGE_UNAVAILABLE when its staged file disappears', async (t) => {
  const addedFiles = await watchFiles(strictDataDir);
  const account = await signIn(strict);
  t.teardown(() => {
    onDecode = () => {};
  });
  onDecode = (path) => rmSync(path);
  const refused = await postFiles(strict, account, [{ name: 'good.png', bytes: await picture() }]);
  t.match(refused, { statusCode: 503 });
  t.match(refused.json(), { code: 'STORAGE_UNAVAILABLE' });
  t.same(await addedFiles(), []);
});
