/** The administrator's commands on pictures in a bucket. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openCalls, type S3Calls } from '../../../storage/s3/calls.ts';
import { register, statusOf, upload } from '../../../testing/collections/members.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../../testing/processes.ts';
import {
  createTestBucket,
  s3Environment,
  settingsOf,
  storedObjects,
  type TestBucket,
  withoutS3,
} from '../../../testing/s3.ts';

t.setTimeout(280_000);

const test = (title: string, work: (t: Test) => Promise<void>) => t.test(title, { skip: withoutS3 }, work);
const colours = ['#111', '#222', '#333'];

async function newEnvironment(t: Test, more: Record<string, string> = {}) {
  const { bucket, cable } = await createTestBucket(t);
  const { url } = await createTestDatabase(t);
  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const DATA_DIR = join(temporaryFolder(t), 'data');
  const env = {
    DATA_DIR,
    DATABASE_URL: url,
    STORAGE: 's3',
    ...s3Environment(bucket),
    RENDITIONS_AHEAD: 'off',
    ...more,
  };
  return { bucket, cable, calls, env };
}

/** Three pictures; their server is stopped. */
async function gallery(t: Test, more?: Record<string, string>) {
  const there = await newEnvironment(t, more);
  const server = await startServer(t, there.env);
  const account = await register(server);
  const links = await upload(server, account, colours);
  await server.stop();
  return { ...there, account, links };
}

const whole = async (calls: S3Calls, { s3Prefix }: TestBucket, keys: string[]) => {
  const read = async (key: string) => (await (await calls.get(`${s3Prefix}${key}`)).body.toArray()).toString();
  return Promise.all(keys.map(async (key) => [key, await read(key)]));
};

test('doctor finds lost and damaged files in a bucket and rebuilds thumbnails', async (t) => {
  const { env, bucket, calls } = await gallery(t);
  t.match(await admin(t, ['doctor'], env), { code: 0, stdout: /Looked at 3 images and 6 files\. All is well\./ });
  const keys = await storedObjects(bucket);
  const [damaged, lost] = keys.filter((key) => key.startsWith('originals/'));
  const thumbnails = keys.filter((key) => key.startsWith('thumbnails/'));
  const before = await whole(calls, bucket, thumbnails);
  const idOf = (key = '') => key.slice(13, 49);
  const ofWhole = thumbnails.find((key) => ![damaged, lost].map(idOf).includes(key.slice(14, 50)));
  const name = (key: string | undefined) => `${bucket.s3Prefix}${key}`;
  const { sdk, client } = calls;
  await client.send(new sdk.PutObjectCommand({ Bucket: bucket.s3Bucket, Key: name(damaged), Body: 'other bytes' }));
  await calls.remove(name(lost));
  await calls.remove(name(ofWhole));
  const { code, stdout } = await admin(t, ['doctor', '--repair', '--json'], env);
  t.equal(code, 1);
  const { findings } = JSON.parse(stdout) as { findings: { kind: string; subject: string; repaired: boolean }[] };
  t.same(
    findings
      .filter(({ kind }) => !/^(setting|space)/.test(kind))
      .map(({ kind, subject, repaired }) => [kind, subject, repaired])
      .sort(),
    [
      ['original damaged', damaged, false],
      ['original missing', lost, false],
      ['rendition missing', ofWhole, true],
    ].sort(),
  );
  t.same(await whole(calls, bucket, thumbnails), before);
});

test("doctor reports no loss if the bucket is unreachable or another installation's", async (t) => {
  const { env, bucket, calls } = await gallery(t);
  const marker = `${bucket.s3Prefix}installation`;
  await calls.remove(marker);
  t.match(await admin(t, ['doctor'], env), {
    code: 1,
    stdout: '',
    stderr: /^S3_BUCKET: .*it has no object "installation"/,
  });
});

for (const [kind, more] of Object.entries({
  plain: undefined,
  sealed: { ENCRYPTION_KEY: randomBytes(32).toString('hex') },
})) {
  test(`a backup of a bucket is restored into another, ${kind}`, async (t) => {
    const { env, links, bucket, calls } = await gallery(t, more);
    const file = join(temporaryFolder(t), 'backup.tar');
    t.match(await admin(t, ['backup', file], env), { code: 0, stdout: /3 images of 1 account, 6 files/ });
    const to = await newEnvironment(t, more);
    const [lost = ''] = (await storedObjects(bucket)).filter((key) => key.startsWith('originals/'));
    await calls.remove(`${bucket.s3Prefix}${lost}`);
    t.match(await admin(t, ['doctor'], env), { code: 1 });
    t.match(await admin(t, ['restore', file, '--only', lost], env), { code: 0, stdout: /^Brought back originals/ });
    t.match(await admin(t, ['doctor'], env), { code: 0 }, 'one picture alone is restored');
    t.match(await admin(t, ['restore', file], { ...to.env, STORAGE_FALLBACK: 'disk' }), {
      code: 1,
      stderr: /^A restore goes into one storage/,
    });
    t.match(await admin(t, ['restore', file], to.env), { code: 0, stdout: /^Restored the snapshot .*: 6 files/ });
    t.same((await storedObjects(to.bucket)).sort(), (await storedObjects(bucket)).sort());
    t.match(await admin(t, ['doctor'], to.env), { code: 0 });
    const server = await startServer(t, to.env);
    for (const link of links) t.equal(await statusOf(server.origin + new URL(link).pathname), 200);
    t.equal(await server.stop(), 0);
    t.match(await admin(t, ['restore', file], to.env), { code: 1, stderr: /^The database holds users already/ });
    const another = { ...to.env, DATABASE_URL: (await createTestDatabase(t)).url };
    t.match(await admin(t, ['restore', file], another), {
      code: 1,
      stderr: /^The storage s3:.* holds originals already/,
    });
  });
}

const [one, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

test('encrypt and rotate-key work on a bucket, alone or with a disk as fallback', async (t) => {
  for (const before of [{}, { STORAGE: 'disk' }] as Record<string, string>[]) {
    const { env, bucket, calls, links } = await gallery(t, before);
    const moving = before.STORAGE ? { ...env, STORAGE: 's3', STORAGE_FALLBACK: 'disk' } : env;
    const all = (await storedObjects(bucket)).length;
    t.equal(all, before.STORAGE ? 0 : 6);
    const first = { ENCRYPTION_KEY: one };
    const sealed = await admin(t, ['encrypt'], { ...moving, ...first });
    t.match(sealed, { code: 0, stdout: '6 files sealed, 0 already were.\n', stderr: '' });
    const keys = (await storedObjects(bucket)).sort();
    t.equal(keys.length, 6);
    for (const [key, text] of await whole(calls, bucket, keys)) t.match(text?.slice(0, 8), 'SEALED', `${key}`);
    t.match(await admin(t, ['encrypt', '--check'], { ...moving, ...first }), {
      code: 0,
      stdout: '6 files sealed, 0 plain.\n',
    });
    const second = { ENCRYPTION_KEY: other, ENCRYPTION_KEY_PREVIOUS: one };
    const rotated = await admin(t, ['rotate-key'], { ...moving, ...second });
    if (before.STORAGE) {
      t.match(rotated, {
        code: 1,
        stderr: /^6 files put under the present key, .* until this has run without STORAGE_FALLBACK/,
      });
      t.match(await admin(t, ['rotate-key'], { ...env, STORAGE: 's3', ...second }), {
        code: 0,
        stdout: /^0 files put under the present key, 6 already were\./,
      });
    } else t.match(rotated, { code: 0, stdout: /^6 files put under the present key, 0 already were\./ });
    const alone = { ...env, STORAGE: 's3', ENCRYPTION_KEY: other };
    const copied = await admin(t, ['storage', 'copy', '--from', 'disk', '--to', 's3'], alone);
    if (before.STORAGE) t.match(copied, { code: 0, stdout: /^0 files copied .*, 6 already there/ });
    t.match(await admin(t, ['doctor'], alone), { code: 0, stdout: /Looked at 3 images and 6 files\. All is well\./ });
    const server = await startServer(t, alone);
    for (const link of links) t.equal(await statusOf(server.origin + new URL(link).pathname), 200);
    await server.stop();
  }
});

test('an interrupted restore is resumed in its bucket', async (t) => {
  const { env, links } = await gallery(t);
  const file = join(temporaryFolder(t), 'backup.tar');
  t.equal((await admin(t, ['backup', file], env)).code, 0);
  const to = await newEnvironment(t);
  await to.cable.pull();
  t.match(await admin(t, ['restore', file], to.env), { code: 1, stderr: /^S3_ENDPOINT/ });
  await to.cable.plugIn();
  t.equal((await admin(t, ['restore', file], to.env)).code, 0);
  // Like a restore killed before its rows: its files and its marker exist.
  const later = { ...to.env, DATABASE_URL: (await createTestDatabase(t)).url };
  const id = (await whole(to.calls, to.bucket, ['installation']))[0]?.[1] ?? '';
  const { sdk, client } = to.calls;
  const Key = `${to.bucket.s3Prefix}restoring`;
  await client.send(new sdk.PutObjectCommand({ Bucket: to.bucket.s3Bucket, Key, Body: id }));
  t.match(await admin(t, ['restore', file], later), { code: 0, stdout: /^An earlier restore was continued/ });
  t.same(
    (await storedObjects(to.bucket)).filter((key) => key === 'restoring'),
    [],
  );
  const server = await startServer(t, later);
  for (const link of links) t.equal(await statusOf(server.origin + new URL(link).pathname), 200);
});

test('renditions are rebuilt in a bucket, and deleting an account removes its pictures there', async (t) => {
  const { env, bucket, calls, account } = await gallery(t);
  const keys = (await storedObjects(bucket)).sort();
  const [lost = ''] = keys.filter((key) => key.startsWith('thumbnails/'));
  await calls.remove(`${bucket.s3Prefix}${lost}`);
  t.match(await admin(t, ['renditions', 'rebuild', '--missing'], env), {
    code: 0,
    stdout: '3 images checked, renditions of 1 rebuilt.\n',
  });
  t.same((await storedObjects(bucket)).sort(), keys);
  t.match(await admin(t, ['users', 'delete', account.id, '--yes'], env), {
    code: 0,
    stdout: /3 images .* are deleted/,
  });
  t.same(await storedObjects(bucket), []);
});
