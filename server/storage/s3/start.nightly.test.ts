import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { buildApp } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/read-config.ts';
import { signIn } from '../../testing/account.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import {
  createTestBucket,
  s3Config,
  storedObjects,
  strangersKeys,
  type TestBucket,
  withoutS3,
} from '../../testing/s3.ts';
import { HEADER_SIZE } from '../sealed/header.ts';
import { parametersOf, SEGMENT_SIZE } from '../sealed/open-sealed.ts';
import { layoutOf } from '../sealed/stream-format.ts';

t.setTimeout(240_000);

async function start(config: Config): Promise<Error & { code?: string }> {
  return buildApp(config).then(
    async (app) => {
      await app.close();
      return new Error('started');
    },
    (error) => error,
  );
}

async function refusal(t: Test, bucket: TestBucket, changed: Partial<TestBucket>): Promise<Error & { code?: string }> {
  const refused = await start(await s3Config(t, { ...bucket, ...changed }));
  t.equal(refused.code, 'CONFIG', refused.message);
  t.notMatch(refused.message, '\n');
  t.notMatch(refused.message, bucket.s3SecretAccessKey);
  return refused;
}

t.test(
  'settings that lead to no bucket stop the start and name the variable and the call',
  { skip: withoutS3 },
  async (t) => {
    const { bucket, cable } = await createTestBucket(t);
    t.match(await start(await s3Config(t, bucket)), { message: 'started' });
    t.same(await storedObjects(bucket), [], 'the check leaves no objects');
    const secret = { s3SecretAccessKey: 'another-secret' };
    t.match(await refusal(t, bucket, secret), { message: /S3_SECRET_ACCESS_KEY: HeadBucket .*SignatureDoesNotMatch/ });
    const key = { s3AccessKeyId: 'gallery:nobody' };
    t.match(await refusal(t, bucket, key), { message: /^S3_ACCESS_KEY_ID.*: HeadBucket/ });
    const missing = { s3Bucket: `test-${randomUUID()}` };
    t.match(await refusal(t, bucket, missing), { message: /^S3_BUCKET: HeadBucket .*NoSuchBucket/ });
    t.match(await refusal(t, bucket, { s3Region: 'eu-nowhere-1' }), { message: /^S3_REGION: HeadBucket/ });
    t.match(await refusal(t, bucket, strangersKeys), {
      message: /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: HeadBucket/,
    });
    await cable.pull();
    t.match(await refusal(t, bucket, {}), { message: /^S3_ENDPOINT.*: HeadBucket .*ECONNREFUSED/ });
  },
);

t.test('a database does not start on another’s bucket or on an empty one', { skip: withoutS3 }, async (t) => {
  const { url } = await createTestDatabase(t);
  const [{ bucket }, other] = [await createTestBucket(t), await createTestBucket(t)];
  const config = await s3Config(t, bucket, { databaseUrl: url });
  const app = await buildApp(config);
  await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  await app.close();
  const elsewhere = await s3Config(t, other.bucket, { databaseUrl: url });
  t.match(await start(elsewhere), { code: 'CONFIG', message: /^S3_BUCKET: .*no object "installation".*put the line/ });
  t.same(await storedObjects(other.bucket), []);
  t.match(await start(await s3Config(t, other.bucket)), { message: 'started' });
  t.match(await start(elsewhere), { code: 'CONFIG', message: /it belongs to .* the database to / });
  const nested = await s3Config(t, { ...bucket, s3Prefix: 'a-gallery/another/' }, { databaseUrl: url });
  t.match(await start(nested), { code: 'CONFIG', message: /^S3_BUCKET/ });
  t.match(await start(config), { message: 'started' });
  await query(url, 'delete from installation');
  t.match(await start(config), { message: 'started' }, 'a database without an id adopts the one it finds');
});

t.test('a bucket’s settings are required', async (t) => {
  const all = {
    STORAGE: 's3',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    JWT_SECRET: 's'.repeat(32),
  };
  t.match(readConfig({ ...all, S3_PREFIX: 'a/b' }), { storage: 's3', s3Prefix: 'a/b/', s3Region: 'us-east-1' });
  for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'JWT_SECRET']) {
    t.throws(() => readConfig({ ...all, [name]: '' }), {
      message: new RegExp(`^${name} must be set too where STORAGE`),
    });
  }
  const { maxFileSize } = readConfig({ ...all, MAX_FILE_SIZE: '5118MiB' });
  t.ok(
    HEADER_SIZE + layoutOf(parametersOf(SEGMENT_SIZE)).sealedSize(maxFileSize) <= 5 * 2 ** 30,
    'the limit also holds for sealed files',
  );
  t.throws(() => readConfig({ ...all, MAX_FILE_SIZE: '5119MiB' }), {
    message: /^MAX_FILE_SIZE must be 5118MiB at most /,
  });
  t.match(readConfig({ MAX_FILE_SIZE: '6GiB' }), { maxFileSize: 6 * 2 ** 30 }, 'no limit on a disk');
  t.throws(() => readConfig({ LINK_MODE: 'redirect' }), { message: /^STORAGE must be s3 where LINK_MODE is redirect/ });
  for (const prefix of ['../x', 'a//b', '/a', 'a b', '.']) {
    t.throws(() => readConfig({ S3_PREFIX: prefix }), { message: /^S3_PREFIX must be / });
  }
});
