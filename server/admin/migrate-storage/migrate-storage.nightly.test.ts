/** Migrates collections in use from a disk to a bucket on a real S3 server, and back. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildApp } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { openCalls } from '../../storage/s3/calls.ts';
import { signIn } from '../../testing/account.ts';
import { temporaryFolder } from '../../testing/app.ts';
import {
  collection,
  type Image,
  isCollected,
  pictures,
  serves,
  surroundings,
  toBucket,
} from '../../testing/collections/moving.ts';
import { storedFiles } from '../../testing/disk.ts';
import { storeFiles } from '../../testing/form.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { settingsOf, storedObjects, withoutS3 } from '../../testing/s3.ts';
import { openSourceAndTarget } from './source-and-target.ts';

t.setTimeout(240_000);

const test = (title: string, work: (t: Test) => Promise<void>) => t.test(title, { skip: withoutS3 }, work);
test('a migration copies everything from the disk to the bucket, and a server there serves it', async (t) => {
  const { copy, server, images, files, onDisk, inBucket, bucket } = await collection(t, 4);
  const before = await onDisk();
  t.equal(before.length, 12);
  t.match(await copy(), { copied: 12, there: 0, gone: 0, failed: 0 });
  t.same(await inBucket(), before);
  t.same(await onDisk(), before, 'the source is unchanged');
  t.match(await copy(), { copied: 0, there: 12, failed: 0 }, 'objects at the target are skipped');

  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const [one = '', other = '', third = ''] = before;
  const name = (key: string) => `${bucket.s3Prefix}${key}`;
  await calls.remove(name(one));
  await calls.put(name(other), Buffer.from('others'), { size: 6, sha256: sha256Of(Buffer.from('others')) });
  const junk = new calls.sdk.PutObjectCommand({
    Bucket: bucket.s3Bucket,
    Key: name(third),
    Body: 'of another program',
  });
  await calls.client.send(junk);
  t.match(await copy(), { copied: 3, there: 9, failed: 0 }, 'missing and different objects are copied again');
  const app = await server();
  t.ok(await serves(app, images, files));
});

test('a migration back to an empty disk restores every byte', async (t) => {
  const { copy, server, images, files, onDisk, dataDir } = await collection(t, 3);
  await copy();
  const before = await onDisk();
  const hidden = await Promise.all(before.map((key) => readFile(join(dataDir, 'files', key))));
  await rm(join(dataDir, 'files'), { recursive: true });
  t.match(await copy({ from: 's3', to: 'disk' }), { copied: 9, there: 0, failed: 0 });
  t.same(await onDisk(), before);
  t.same(await Promise.all(before.map((key) => readFile(join(dataDir, 'files', key)))), hidden);
  t.match(await copy({ from: 's3', to: 'disk' }), { copied: 0, there: 9, failed: 0 });
  t.ok(await serves(await server({ storage: 'disk' }), images, files));
});

test('damaged and missing objects are named and not copied; the others are copied', async (t) => {
  const { copy, dataDir, images, onDisk, inBucket } = await collection(t, 3);
  const [damaged = '', missing = ''] = (await onDisk()).filter((key) => key.startsWith('originals/'));
  const path = join(dataDir, 'files', damaged);
  await writeFile(path, (await readFile(path)).fill(7, 100, 120));
  await rm(join(dataDir, 'files', missing));
  const lost = (await onDisk()).filter((key) => key.startsWith('thumbnails/')).at(-1) ?? '';
  await rm(join(dataDir, 'files', lost));
  const { failures, ...sums } = await copy();
  t.match(sums, { copied: 6, failed: 2 }, 'missing renditions are rebuilt on request');
  t.same(new Set(failures.map(({ key }) => key)), new Set([damaged, missing]));
  t.match(failures.find(({ key }) => key === damaged)?.reason, /^its SHA-256 is [0-9a-f]{64} instead of /);
  t.equal((await inBucket()).length, 6);
  t.notOk((await inBucket()).includes(damaged));
  t.equal(images.length, 3);
});

test('a server on the bucket reads objects that are not copied yet from the disk', async (t) => {
  const { copy, server, account, images, files, inBucket, onDisk } = await collection(t, 4);
  const app = await server({ storageFallback: 'disk' });
  t.ok(await serves(app, images, files));
  const early = await pictures(6);
  const first = await storeFiles(app, account, early.slice(4, 5));
  let uploading: Promise<Image[]> | undefined;
  const sums = await copy(toBucket, ({ to }) => ({
    to: {
      ...to,
      async commit(file, key) {
        uploading ??= storeFiles(app, account, early.slice(5));
        await uploading;
        await to.commit(file, key);
        if (!(await serves(app, images, files))) t.fail(`not whole after ${key}`);
      },
    },
  }));
  const later = (await uploading) ?? [];
  t.match(sums, { copied: 12, failed: 0, gone: 0 });
  t.equal((await onDisk()).length, 12, 'new pictures are stored only in the bucket');
  t.equal((await inBucket()).length, 18);
  await app.close();
  const alone = await server();
  t.ok(await serves(alone, [...images, ...first, ...later], [...files, ...early.slice(4)]));
});

test('a picture deleted while it is copied leaves no objects', async (t) => {
  const { copy, server, account, images, inBucket, onDisk } = await collection(t, 3);
  const app = await server({ storageFallback: 'disk' });
  const [, middle, last] = images;
  const remove = async (id = '') => {
    const answer = await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    t.ok(answer.statusCode < 300, answer.body);
  };
  const written: string[] = [];
  const sums = await copy(toBucket, ({ to }) => ({
    to: {
      ...to,
      async commit(file, key) {
        // One picture is deleted while its first object is copied, the other while its last is.
        if (key.startsWith(`originals/`) && key.includes(`${middle?.id}`)) await remove(middle?.id);
        if (key.startsWith(`screens/`) && key.includes(`${last?.id}`)) await remove(last?.id);
        await to.commit(file, key);
        written.push(key);
      },
    },
  }));
  t.match(sums, { gone: 2, failed: 0 });
  t.equal(written.filter((key) => key.includes(`${middle?.id}`)).length, 1);
  t.equal(written.filter((key) => key.includes(`${last?.id}`)).length, 3);
  const left = [...(await inBucket()), ...(await onDisk())];
  t.same(
    left.filter((key) => !key.includes(`${images[0]?.id}`)),
    [],
  );
  t.equal(left.length, 6);
});

test('sealed pictures are copied sealed and unchanged, and verified by opening them', async (t) => {
  const encryptionKey = randomBytes(32);
  const { copy, server, configOf, dataDir, images, files, onDisk, inBucket, bucket } = await collection(t, 2, {
    encryptionKey,
  });
  const [damaged = ''] = await onDisk();
  const path = join(dataDir, 'files', damaged);
  const whole = await readFile(path);
  await writeFile(path, Buffer.from(whole).fill(7, 500, 501));
  const first = await copy();
  t.match(first, { copied: 5, failed: 1, failures: [{ key: damaged, reason: 'its seal is broken' }] });
  await writeFile(path, whole);
  t.match(await copy(), { copied: 1, there: 5, failed: 0 });
  t.same(await inBucket(), await onDisk());
  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const stored = await calls.get(`${bucket.s3Prefix}${damaged}`);
  t.ok(Buffer.concat(await stored.body.toArray()).equals(whole));
  t.ok(await serves(await server(), images, files));

  const { db, close } = connect(parseDatabaseUrl(`${(await configOf()).databaseUrl}`));
  t.teardown(close);
  const withoutKey = { ...(await configOf()), encryptionKey: undefined };
  await t.rejects(openSourceAndTarget({ config: withoutKey, db, process: 78n, log: { warn: () => {} } }, toBucket), {
    code: 'CONFIG',
    message: /^ENCRYPTION_KEY: /,
  });
});

test('an object sealed by a forgotten key at the target is copied again', async (t) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const { url, copy, server, images, files, onDisk, account } = await collection(t, 2, { encryptionKey: old });
  t.match(await copy(), { copied: 6 });
  const rotating = await server({ storage: 'disk', encryptionKey: fresh, encryptionKeyPrevious: [old] });
  for (const key of await onDisk()) await rotating.storage.sealing?.rewrap(key, null, async () => true);
  await rotating.close();
  await query(url, `update installation set sealed_by = sealed_by[2:2]`);
  const present = { encryptionKey: fresh };
  t.match(await copy(toBucket, undefined, {}, present), { copied: 6, there: 0, failed: 0 });
  t.match(await copy(toBucket, undefined, {}, present), { copied: 0, there: 6, failed: 0 });
  const app = await server(present);
  t.ok(await serves(app, images, files));
  t.equal((await storeFiles(app, account, await pictures(1))).length, 1);
});

test('plain bytes stored instead of sealed ones are not copied, and are overwritten at the target', async (t) => {
  const encryptionKey = randomBytes(32);
  const { copy, server, dataDir, images, files, onDisk, bucket } = await collection(t, 1, { encryptionKey });
  t.match(await copy(), { copied: 3 });
  const [key = ''] = (await onDisk()).filter((name) => name.startsWith('originals/'));
  const plain = files[0]?.bytes ?? Buffer.alloc(0);
  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const plant = () => calls.put(`${bucket.s3Prefix}${key}`, plain, { size: plain.length, sha256: sha256Of(plain) });

  await plant();
  t.match(await copy(), { copied: 1, there: 2, failed: 0 });
  t.ok(await serves(await server(), images, files));

  await plant();
  await writeFile(join(dataDir, 'files', key), plain);
  t.match(await copy(), {
    failed: 1,
    failures: [{ key, reason: 'plain bytes are stored where sealed ones belong' }],
  });
});

test('a folder where staging fails is reported in one sentence', async (t) => {
  const { copy, dataDir } = await collection(t, 1);
  await rm(join(dataDir, 'files', 'staging'), { recursive: true });
  await writeFile(join(dataDir, 'files', 'staging'), 'no folder');
  await t.rejects(copy(), { code: 'CONFIG', message: /^DATA_DIR must be a folder the server can write, but / });
});

test('a migration survives network failures and ends if a backend stays unreachable', async (t) => {
  const { copy, cable, inBucket } = await collection(t, 2);
  let pulled = 0;
  const sums = await copy(toBucket, ({ to }) => ({
    to: {
      ...to,
      async commit(file, key) {
        pulled += 1;
        if (pulled === 2) await cable.pull();
        await to.commit(file, key).finally(() => cable.plugIn());
      },
    },
  }));
  t.match(sums, { failed: 0, gone: 0 });
  t.equal(sums.copied + sums.there, 6);
  t.equal((await inBucket()).length, 6);
  const away = copy(toBucket, ({ to }) => ({
    to: {
      ...to,
      async stat(key) {
        await cable.pull();
        return to.stat(key);
      },
    },
  }));
  await t.rejects(away, { code: 'STORAGE_UNAVAILABLE' });
});

test('a bucket of another installation, or with images of an unknown one, is refused', async (t) => {
  const one = await collection(t, 1);
  const other = await surroundings(t);
  await (await other.server()).close();
  const refused = (bucket: Partial<Config>, message: RegExp) => async () => {
    const { db, close } = connect(parseDatabaseUrl(one.url));
    const config = await one.configOf(bucket);
    const opening = openSourceAndTarget({ config, db, process: 78n, log: { warn: () => {} } }, toBucket);
    await t.rejects(opening, { code: 'CONFIG', message });
    await close();
  };
  await refused(other.bucket, /^S3_BUCKET: .*it belongs to .*, the database to /)();
  const calls = await openCalls(settingsOf(one.bucket));
  t.teardown(() => calls.close());
  const stranger = `${one.bucket.s3Prefix}originals/00/${randomUUID()}.png`;
  await calls.put(stranger, Buffer.from('x'), {
    size: 1,
    sha256: sha256Of(Buffer.from('x')),
  });
  await refused({}, /^S3_BUCKET: .*it has no object "installation"/)();
  t.same(await storedObjects(one.bucket), [stranger.slice(one.bucket.s3Prefix.length)]);
});

test('a server does not treat a missing fallback disk as an empty one', async (t) => {
  const { copy, configOf, server } = await collection(t, 1);
  await copy();
  await (await server({ storageFallback: 'disk' })).close();
  const elsewhere = await configOf({ storageFallback: 'disk', dataDir: await temporaryFolder(t) });
  await t.rejects(buildApp(elsewhere), { code: 'CONFIG', message: /^DATA_DIR: .*it has no file "installation"/ });
  t.match(await query(`${elsewhere.databaseUrl}`, 'select count(*)::int as images from images'), [{ images: 1 }]);
});

test('a migration requires two backends with complete settings', async (t) => {
  const { configOf, server } = await surroundings(t);
  const { readConfig } = await import('../../config/read-config.ts');
  t.throws(() => readConfig({ STORAGE_FALLBACK: 'disk' }), { message: /^STORAGE_FALLBACK must be another backend/ });
  t.throws(() => readConfig({ STORAGE_FALLBACK: 's3' }), {
    message: /^S3_BUCKET must be set too where STORAGE_FALLBACK/,
  });
  const app = await server({ storage: 'disk', storageFallback: 's3' });
  await storeFiles(app, await signIn(app), await pictures(1));
  t.equal((await storedFiles((await configOf()).dataDir)).filter(isCollected).length, 3);
});
