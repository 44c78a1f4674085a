/** Buckets of the S3 server that the test script starts (scripts/testing/swift.mjs). */
import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { Config } from '../config/config.ts';
import { openCalls } from '../storage/s3/calls.ts';
import { type S3Settings, s3SettingsOf } from '../storage/s3/settings.ts';
import { type TestOptions, testConfig } from './app.ts';
import { type Cable, layCable } from './cable.ts';

const {
  GALLERY_TEST_S3_ENDPOINT: endpoint,
  GALLERY_TEST_S3_KEY: owner,
  GALLERY_TEST_S3_STRANGER: stranger,
} = process.env;

/** For tap's `skip`: why no S3 server is available, or false. */
export const withoutS3: string | false = endpoint ? false : 'the packages of an S3 server (Swift) are not installed';

/** Settings of a new bucket on the server. */
export type TestBucket = Pick<
  Config,
  's3Endpoint' | 's3Region' | 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3ForcePathStyle' | 's3Prefix'
>;

const keysOf = (pair = ''): Pick<TestBucket, 's3AccessKeyId' | 's3SecretAccessKey'> => {
  const [s3AccessKeyId, s3SecretAccessKey] = pair.split(' ');
  return { s3AccessKeyId, s3SecretAccessKey };
};

/** Keys of an account without access to the others' buckets. */
export const strangersKeys = keysOf(stranger);

export const settingsOf = (bucket: TestBucket): S3Settings => s3SettingsOf(bucket as Config);

/** A new, empty bucket behind a connection that can be cut. */
export async function createTestBucket(t: Test): Promise<{ bucket: TestBucket; cable: Cable }> {
  const { hostname, port } = new URL(`${endpoint}`);
  const cable = await layCable(t, { host: hostname, port: Number(port) });
  const bucket: TestBucket = {
    s3Endpoint: `http://127.0.0.1:${cable.port}`,
    s3Region: 'us-east-1',
    s3Bucket: `test-${randomUUID()}`,
    s3ForcePathStyle: 'on',
    s3Prefix: 'a-gallery/',
    ...keysOf(owner),
  };
  const { sdk, client, close } = await openCalls(settingsOf(bucket));
  await client.send(new sdk.CreateBucketCommand({ Bucket: bucket.s3Bucket }));
  close();
  return { bucket, cable };
}

/** Config of a server on that bucket, with its own DATA_DIR. */
export const s3Config = (t: Test, bucket: TestBucket, overrides: Partial<TestOptions> = {}): Promise<Config> =>
  testConfig(t, { storage: 's3', jwtSecret: 'a secret that all servers of this test share', ...bucket, ...overrides });

/** @returns sorted keys of all objects in the bucket, without the prefix and the ownership marker */
export async function storedObjects(bucket: TestBucket): Promise<string[]> {
  const settings = settingsOf(bucket);
  const calls = await openCalls(settings);
  const names: string[] = [];
  for (let more = true; more; ) {
    const page = await calls.list('', names.at(-1));
    names.push(...page.found.map(({ name }) => name));
    more = page.more;
  }
  calls.close();
  return names.map((name) => name.replace(settings.prefix, '')).filter((key) => key !== 'installation');
}

/** The bucket as environment variables. */
export const s3Environment = (bucket: TestBucket): Record<string, string> => ({
  S3_ENDPOINT: `${bucket.s3Endpoint}`,
  S3_REGION: bucket.s3Region,
  S3_BUCKET: `${bucket.s3Bucket}`,
  S3_ACCESS_KEY_ID: `${bucket.s3AccessKeyId}`,
  S3_SECRET_ACCESS_KEY: `${bucket.s3SecretAccessKey}`,
  S3_FORCE_PATH_STYLE: `${bucket.s3ForcePathStyle}`,
  S3_PREFIX: bucket.s3Prefix,
  JWT_SECRET: 'a secret that all servers of this test share',
});
