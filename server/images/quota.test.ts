import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../testing/app.ts';
import { countsHold, rowsOf } from '../testing/collections/collection.ts';
import { watchFiles } from '../testing/disk.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { noise, picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { openSocket } from '../testing/socket.ts';
import { isFull, quotaExceeded, sizeText, whatFits } from './quota.ts';

const usage = async (app: FastifyInstance, { bearer }: TestAccount) =>
  (await app.inject({ url: '/api/images/usage', headers: bearer })).json();

t.test('files that fit are chosen in order, and a large file does not block a smaller one after it', (t) => {
  const files = [{ size: 4 }, { size: 9 }, { size: 3 }, { size: 4 }];
  const none = { images: 0, bytes: 0 };
  t.same(whatFits(files, none, { images: undefined, bytes: undefined }).fitting, files);
  t.same(whatFits(files, none, { images: undefined, bytes: 10 }), {
    fitting: [{ size: 4 }, { size: 3 }],
    held: { images: 2, bytes: 7 },
  });
  t.same(whatFits(files, { images: 5, bytes: 1 }, { images: 7, bytes: undefined }).fitting, files.slice(0, 2));
  t.same(whatFits(files, { images: 9, bytes: 99 }, { images: 7, bytes: 10 }).fitting, []);
  t.same(whatFits([{ size: 10 }], none, { images: 1, bytes: 10 }).fitting, [{ size: 10 }], 'up to the last byte');
  t.end();
});

t.test('the error of a full account contains its usage and quota', (t) => {
  t.same([0, 999, 1000, 1_999, 9_870_000_000, 10_000_000_000, 1e18].map(sizeText), [
    '0 bytes',
    '999 bytes',
    '1 KB',
    '1.9 KB',
    '9.8 GB',
    '10 GB',
    '1000 PB',
  ]);
  const quota = { images: 100, bytes: 10e9 };
  t.match(quotaExceeded({ images: 7, bytes: 9.87e9 }, quota).message, /9\.8 GB of 10 GB are used/);
  t.match(quotaExceeded({ images: 100, bytes: 3 }, quota).message, /100 of 100 images are used/);
  t.equal(isFull({ images: 99, bytes: 10e9 - 1 }, quota), false);
  t.equal(isFull({ images: 100, bytes: 0 }, quota), true);
  t.equal(isFull({ images: 0, bytes: 10e9 }, quota), true);
  t.equal(isFull({ images: 1e6, bytes: 1e15 }, { images: undefined, bytes: undefined }), false);
  t.end();
});

const small = await noise(20, 20);
const { url } = await createTestDatabase(t);
const dataDir = await temporaryFolder(t);
const limits = { quota: small.length * 2 + 10, quotaImages: 5 };
const app = await buildTestApp(t, { databaseUrl: url, dataDir, ...limits });
/** Small enough that only the number of images is limited. */
const tiny = await picture({ width: 4, height: 4 });

t.test('an upload stores the files that fit the quota and rejects the others, in the order sent', async (t) => {
  const large = await noise(200, 200);
  const addedFiles = await watchFiles(dataDir);
  const { images } = await rowsOf(url);
  const account = await signIn(app);
  const answer = await postFiles(app, account, [
    { name: 'first.png', bytes: small },
    { name: 'large.jpg', bytes: large },
    { name: 'text.png', bytes: 'no image' },
    { name: 'second.png', bytes: small },
    { name: 'third.png', bytes: small },
  ]);
  t.equal(answer.statusCode, 207);
  t.match(answer.json(), {
    images: [{ filename: 'first.png' }, { filename: 'second.png' }],
    rejected: [
      { filename: 'large.jpg', code: 'QUOTA_EXCEEDED', message: /KB of .* are used/ },
      { filename: 'text.png', code: 'NOT_AN_IMAGE' },
      { filename: 'third.png', code: 'QUOTA_EXCEEDED' },
    ],
  });
  t.same(await rowsOf(url), { images: images + 2, orphaned: 0 });
  t.equal((await addedFiles()).length, 2, 'the shared bytes of the stored files only');
  t.same(await usage(app, account), {
    images: 2,
    bytes: small.length * 2,
    max_images: limits.quotaImages,
    max_bytes: limits.quota,
  });
  const none = await postFiles(app, account, [{ name: 'fourth.png', bytes: small }]);
  t.equal(none.statusCode, 413, 'the refusal is the response if nothing is stored');
  t.match(none.json(), { code: 'QUOTA_EXCEEDED' });
  t.equal((await addedFiles()).length, 2);
});

t.test('concurrent uploads never exceed the quota', async (t) => {
  const { images } = await rowsOf(url);
  const account = await signIn(app);
  const files = [1, 2].map((number) => ({ name: `${number}.png`, bytes: tiny }));
  const answers = await Promise.all(Array.from({ length: 12 }, () => postFiles(app, account, files)));
  t.ok(answers.every(({ statusCode }) => [201, 207, 413].includes(statusCode)));
  const stored = answers.flatMap((answer) => answer.json().images ?? []);
  t.equal(stored.length, 5);
  t.same(await rowsOf(url), { images: images + 5, orphaned: 0 });
  t.match(await usage(app, account), { images: 5, bytes: 5 * tiny.length });
  t.ok(await countsHold(url));
});

t.test('an upload to a full account answers 413 before its body is read, and a deletion makes room', async (t) => {
  const account = await signIn(app);
  const file = { name: 'a.png', bytes: tiny };
  const [image] = await storeFiles(app, account, Array(5).fill(file));
  const { send, received } = await openSocket(await listen(app));
  await send(
    `POST /api/images/upload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: Bearer ${account.token}\r\nContent-Type: multipart/form-data; boundary=x\r\n` +
      'Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n',
  );
  t.match(await received, /^HTTP\/1\.1 413 [\s\S]*QUOTA_EXCEEDED[\s\S]*5 of 5 images are used/m);
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer });
  t.match(await usage(app, account), { images: 4, bytes: 4 * tiny.length });
  t.equal((await postFiles(app, account, [file])).statusCode, 201);
});

t.test('usage reports null limits without a quota, and 401 without a login', async (t) => {
  const app = await buildTestApp(t);
  t.same(await usage(app, await signIn(app)), { images: 0, bytes: 0, max_images: null, max_bytes: null });
  t.equal((await app.inject('/api/images/usage')).statusCode, 401);
});
