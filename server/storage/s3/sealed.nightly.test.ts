import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { createTestBucket, s3Config, settingsOf, storedObjects, withoutS3 } from '../../testing/s3.ts';
import { opened, sendPart } from '../../testing/tus.ts';
import { openCalls } from './calls.ts';

t.setTimeout(240_000);

const pathOf = (url: string | undefined | null) => new URL(url ?? '').pathname;
const magic = Buffer.from('d35345414c454401', 'hex');

/** A server that caches only checksums: all of this picture's. */
async function start(t: Test) {
  const { url } = await createTestDatabase(t);
  const { bucket, cable } = await createTestBucket(t);
  const options = { databaseUrl: url, encryptionKey: randomBytes(32), cacheSize: 0 };
  const another = async () => buildTestApp(t, await s3Config(t, bucket, options));
  const app = await another();
  const bytes = await noise(500, 400, 'png');
  const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes }]);
  const thumbnail = pathOf(image?.thumbnail_url);
  const original = pathOf(image?.url);
  const seen = (await app.inject(thumbnail)).rawPayload;
  t.ok((await app.inject(original)).rawPayload.equals(bytes));
  const calls = [
    { url: thumbnail, headers: {}, good: seen },
    { url: original, headers: {}, good: bytes },
    { url: original, headers: { range: 'bytes=0-99' }, good: bytes.subarray(0, 100) },
  ];

  /** Flips a bit of sealed objects in transit. @returns a function that returns how often */
  function flip(at: number, times: number): () => number {
    let count = 0;
    cable.tamper((chunk) => {
      const index = chunk.indexOf(magic) + at;
      if (!chunk.includes(magic) || index >= chunk.length || count === times) return;
      chunk[index] = (chunk[index] ?? 0) ^ 1;
      count += 1;
    });
    return () => count;
  }
  return { app, another, calls, flip, leave: () => cable.tamper(undefined) };
}

const regions = { 'the magic': 0, 'the size of its segments': 9, 'the wrapped key': 50, 'the salt': 190 };

t.test(
  'a bit flipped by a bucket is never served, and the next intact read is served',
  { skip: withoutS3 },
  async (t) => {
    const { app, another, calls, flip, leave } = await start(t);
    for (const [region, at] of Object.entries(regions)) {
      for (const { url, headers, good } of calls) {
        const count = flip(at, 1);
        // After a part was sent, the connection is cut instead.
        const answer = await app.inject({ url, headers }).catch(() => undefined);
        t.equal(count(), 1, region);
        if (answer && answer.statusCode < 300) t.ok(answer.rawPayload.equals(good), region);
        else if (answer) t.match(answer.json(), { statusCode: 503 }, region);
        const next = await app.inject({ url, headers });
        t.ok(next.statusCode < 300 && next.rawPayload.equals(good), `${region}: a single error is not damage`);
      }
    }
    for (const [region, at] of Object.entries(regions)) {
      flip(at, Number.POSITIVE_INFINITY);
      for (const { url, headers } of calls) {
        const answer = await app.inject({ url, headers });
        t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' }, region);
      }
    }
    leave();
    const other = await another();
    for (const { url, headers, good } of calls) t.ok((await other.inject({ url, headers })).rawPayload.equals(good));
  },
);

t.test(
  'plain bytes that a bucket gives for sealed ones are never served, not even the right ones',
  { skip: withoutS3 },
  async (t) => {
    const { url } = await createTestDatabase(t);
    const { bucket } = await createTestBucket(t);
    const options = { databaseUrl: url, encryptionKey: randomBytes(32), cacheSize: 0 };
    const app = await buildTestApp(t, await s3Config(t, bucket, options));
    const bytes = await noise(900, 700, 'png');
    const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes }]);
    const link = pathOf(image?.url);
    t.ok((await app.inject(link)).rawPayload.equals(bytes), 'one complete read stores its checksum');

    const [key = ''] = (await storedObjects(bucket)).filter((name) => name.startsWith('originals/'));
    const calls = await openCalls(settingsOf(bucket));
    t.teardown(() => calls.close());
    const other = Buffer.from(bytes).fill(7, 100, 2_000);
    for (const planted of [bytes, other]) {
      await calls.put(`${bucket.s3Prefix}${key}`, planted, { size: planted.length, sha256: sha256Of(planted) });
      for (const headers of [{}, { range: 'bytes=0-99' }] as Record<string, string>[]) {
        const answer = await app.inject({ url: link, headers });
        t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
      }
    }
  },
);

t.test('a plain piece in place of a sealed one ends the upload without a picture', { skip: withoutS3 }, async (t) => {
  const { url } = await createTestDatabase(t);
  const { bucket } = await createTestBucket(t);
  const options = { databaseUrl: url, encryptionKey: randomBytes(32), cacheSize: 0 };
  const app = await buildTestApp(t, await s3Config(t, bucket, options));
  const account = await signIn(app);
  const [bytes, other] = [await noise(500, 400, 'png'), await noise(500, 400, 'png')];
  const upload = await opened(app, account, bytes.length);
  const half = Math.floor(bytes.length / 2);
  await sendPart(app, account, upload, 0, bytes.subarray(0, half));
  const [piece = ''] = (await storedObjects(bucket)).filter((name) => name.startsWith('partials/'));
  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const planted = other.subarray(0, half);
  await calls.put(`${bucket.s3Prefix}${piece}`, planted, { size: planted.length, sha256: sha256Of(planted) });
  const answer = await sendPart(app, account, upload, half, bytes.subarray(half));
  t.not(answer.statusCode, 200);
  t.equal((await app.inject({ url: '/api/images/', headers: account.bearer })).json().total, 0);
});
