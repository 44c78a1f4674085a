/** The administrator's commands on a gallery in a bucket. */
import { join } from 'node:path';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { createTestDatabase } from '../testing/database.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { admin } from '../testing/processes.ts';
import { createTestBucket, s3Config, storedObjects, withoutS3 } from '../testing/s3.ts';

t.setTimeout(280_000);

t.test(
  'a gallery in a bucket is examined, mended, backed up, and restored nowhere else',
  { skip: withoutS3 },
  async (t) => {
    const { url } = await createTestDatabase(t);
    const { bucket } = await createTestBucket(t);
    const app = await buildTestApp(t, await s3Config(t, bucket, { databaseUrl: url }));
    const account = await signIn(app);
    const files = await Promise.all([150, 160, 170].map(async (height) => noise(200, height, 'png')));
    const images = await storeFiles(
      app,
      account,
      files.map((bytes) => ({ name: 'a.png', bytes })),
    );
    const dataDir = await temporaryFolder(t);
    const env = {
      STORAGE: 's3',
      S3_ENDPOINT: `${bucket.s3Endpoint}`,
      S3_BUCKET: `${bucket.s3Bucket}`,
      S3_ACCESS_KEY_ID: `${bucket.s3AccessKeyId}`,
      S3_SECRET_ACCESS_KEY: `${bucket.s3SecretAccessKey}`,
      S3_PREFIX: bucket.s3Prefix,
      JWT_SECRET: 's'.repeat(32),
      DATA_DIR: dataDir,
      DATABASE_URL: url,
    };
    const run = (...words: string[]) => admin(t, words, env);
    t.match(await run('doctor'), { code: 0 });
    const [lost = '', ...others] = (await storedObjects(bucket)).filter((key) => key.startsWith('thumbnails/'));
    await app.storage.remove(lost);
    const found = await run('doctor', '--json');
    t.equal(found.code, 1);
    t.same(
      JSON.parse(found.stdout)
        .findings.filter(({ kind }: { kind: string }) => !/^(?:setting|space)/.test(kind))
        .map(({ subject }: { subject: string }) => subject),
      [lost],
    );
    t.match(await run('doctor', '--repair'), { code: 0 });
    t.ok((await storedObjects(bucket)).includes(lost));
    for (const key of others) await app.storage.remove(key);
    t.match(await run('renditions', 'rebuild', '--missing'), { code: 0, stdout: /renditions of 2 made anew/ });
    const file = join(dataDir, 'backup.tar');
    t.match(await run('backup', file), { code: 0, stdout: /3 images of 1 account/ });
    t.match(await run('restore', '--verify', file), { code: 0, stdout: /All is well/ });
    t.match(await run('restore', file), { code: 1, stderr: /restored to disk/ });
    for (const [place, { url }] of images.entries()) {
      t.ok((await app.inject(new URL(url).pathname)).rawPayload.equals(files[place] ?? Buffer.alloc(0)));
    }
  },
);
