import t, { type Test } from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise, placed, svg } from '../../testing/pictures.ts';
import { createTestBucket, s3Config, settingsOf, storedObjects, type TestBucket, withoutS3 } from '../../testing/s3.ts';
import { openCalls } from './calls.ts';
import { bucketOrigin, type S3Settings } from './settings.ts';

t.setTimeout(240_000);

const pathOf = (url: string | undefined | null) => new URL(url ?? '').pathname;

async function start(t: Test, overrides: Parameters<typeof s3Config>[2] = {}) {
  const { bucket } = await createTestBucket(t);
  const app = await buildTestApp(t, await s3Config(t, bucket, { linkMode: 'redirect', ...overrides }));
  const account = await signIn(app);
  const store = async (bytes: Buffer | string, name = 'a picture.png') =>
    (await storeFiles(app, account, [{ name, bytes }]))[0];
  return { app, account, bucket, store };
}

async function damage(bucket: TestBucket, key: string): Promise<void> {
  const { sdk, client, close } = await openCalls(settingsOf(bucket));
  const object = { Bucket: bucket.s3Bucket, Key: `${bucket.s3Prefix}${key}` };
  const stored = await (await client.send(new sdk.GetObjectCommand(object))).Body?.transformToByteArray();
  if (!stored) throw new Error('not there');
  stored[1000] = (stored[1000] ?? 0) ^ 1;
  await client.send(new sdk.PutObjectCommand({ ...object, Body: stored }));
  close();
}

t.test('a link redirects to the bytes in the bucket with their content type', { skip: withoutS3 }, async (t) => {
  const { app, account, store } = await start(t);
  const bytes = await noise(300, 200, 'png');
  const image = await store(bytes);
  const link = pathOf(image?.url);
  const answer = await app.inject(link);
  t.match(answer, { statusCode: 302, headers: { 'cache-control': 'private, max-age=30' }, body: '' });
  const { location = '' } = answer.headers;
  const there = await fetch(location);
  t.ok(Buffer.from(await there.arrayBuffer()).equals(bytes));
  t.equal(there.headers.get('content-type'), 'image/png');
  t.equal(there.headers.get('content-disposition'), 'inline; filename="a picture.png"');
  const part = await fetch(location, { headers: { range: 'bytes=100-199' } });
  t.equal(part.status, 206);
  t.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200)));
  t.equal(
    (await fetch(location.replace(/X-Amz-Expires=60/, 'X-Amz-Expires=600'))).status,
    403,
    'its lifetime cannot be extended',
  );

  const page = (await app.inject('/login')).headers['content-security-policy'];
  t.match(page, `img-src 'self' data: blob: ${new URL(location).origin};`);
  t.equal((await app.inject({ method: 'HEAD', url: link })).statusCode, 200);
  t.equal((await app.inject(pathOf(image?.thumbnail_url))).statusCode, 200, 'cached bytes are served directly');

  const remove = { method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer } as const;
  t.equal((await app.inject(remove)).statusCode, 204);
  t.equal((await app.inject(link)).statusCode, 404);
  t.equal((await fetch(location)).status, 404, 'the object is gone');
});

t.test('bytes that differ from those in the bucket are served by the server', { skip: withoutS3 }, async (t) => {
  const { app, store, bucket } = await start(t);
  const photograph = await placed();
  const image = await store(photograph, 'placed.jpg');
  t.equal(image?.location, 'removed');
  const answer = await app.inject(pathOf(image?.url));
  t.equal(answer.statusCode, 200);
  t.notOk(answer.rawPayload.equals(photograph));
  t.equal(
    (await app.inject(pathOf((await store(svg, 'a.svg'))?.url))).statusCode,
    200,
    'an active document is not redirected',
  );
  const before = new Set(await storedObjects(bucket));
  const damaged = await store(await noise(300, 200, 'png'));
  const [key = ''] = (await storedObjects(bucket)).filter((name) => name.startsWith('originals/') && !before.has(name));
  await damage(bucket, key);
  t.match((await app.inject(pathOf(damaged?.url))).json(), { code: 'DAMAGED_ORIGINAL' });
});

t.test('sealed bytes are never redirected to', { skip: withoutS3 }, async (t) => {
  const { app, store } = await start(t, { encryptionKey: Buffer.alloc(32, 'k') });
  const bytes = await noise(300, 200, 'png');
  const answer = await app.inject(pathOf((await store(bytes))?.url));
  t.equal(answer.statusCode, 200);
  t.ok(answer.rawPayload.equals(bytes));
});

t.test('the policy of a page names the origin of presigned links', async (t) => {
  const base: S3Settings = {
    endpoint: undefined,
    region: 'eu-central-1',
    bucket: 'pictures',
    prefix: '',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    forcePathStyle: false,
  };
  const variants: Partial<S3Settings>[] = [
    {},
    { region: 'us-east-1' },
    { region: 'cn-north-1' },
    { forcePathStyle: true },
    { bucket: 'with.dots' },
    { endpoint: 'https://s3.example.com' },
    { endpoint: 'https://s3.example.com:9000', forcePathStyle: true },
    { endpoint: 'http://127.0.0.1:9000' },
    { endpoint: 'http://s3.example.com:9000', bucket: 'with.dots' },
  ];
  for (const variant of variants) {
    const settings = { ...base, ...variant };
    const { link, close } = await openCalls(settings);
    const url = await link('a', { contentType: 'image/png', disposition: 'inline', seconds: 60 });
    t.equal(bucketOrigin(settings), new URL(url).origin, JSON.stringify(variant));
    close();
  }
});

t.test('links behind a CDN use its origin, and the CDN revalidates within a minute', async (t) => {
  const app = await buildTestApp(t, { cdnUrl: 'https://cdn.example.com', publicUrl: 'https://img.example.com' });
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await noise(30, 30, 'png') }]);
  const list = (await app.inject({ url: '/api/images/', headers: account.bearer })).json().images[0];
  for (const { url, thumbnail_url } of [image ?? list, list]) {
    t.match(url, /^https:\/\/cdn\.example\.com\/i\//);
    t.match(thumbnail_url, /^https:\/\/cdn\.example\.com\/i\//);
  }
  for (const url of [list.url, list.thumbnail_url]) {
    t.equal(
      (await app.inject(pathOf(url))).headers['cache-control'],
      'public, max-age=31536000, s-maxage=60, immutable',
    );
  }
  const policy = (await app.inject('/login')).headers['content-security-policy'];
  t.match(policy, "img-src 'self' data: blob: https://img.example.com https://cdn.example.com;");
});
