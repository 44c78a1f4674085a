import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { createTestBucket, settingsOf, withoutS3 } from '../../testing/s3.ts';
import type { OpenFile } from '../object-store.ts';
import type { Keyring } from '../sealed/keyring.ts';
import { sealWith } from '../sealed/objects.ts';
import { BEGINNING } from '../sealed/open-sealed.ts';
import { createSeals } from '../sealed/sealing/seals.ts';
import type { Put } from '../seals.ts';
import { createStaging } from '../staging.ts';
import { testKeyring } from '../testing/keyring.ts';
import { partialsChecks } from '../testing/partials-checks.ts';
import { s3Sample } from '../testing/s3.ts';
import { newKey, runChecks } from '../testing/sample.ts';
import { runSealingChecks } from '../testing/sealing-checks.ts';
import { storageChecks } from '../testing/storage-checks.ts';
import { openCalls } from './calls.ts';
import { createS3Store } from './objects.ts';
import { openObject } from './open-object.ts';

const keyring = testKeyring(randomBytes(32));

// s3.smoke.test.ts runs the suites on plain objects.
const open = (t: Test) => s3Sample(t, sealWith(keyring));
runChecks('sealed s3', storageChecks, open, withoutS3);
runChecks('sealed s3', partialsChecks, open, withoutS3);
runSealingChecks('s3', s3Sample, withoutS3);

t.test('s3: bytes that do not match their checksum are refused and not stored', { skip: withoutS3 }, async (t) => {
  const { bucket } = await createTestBucket(t);
  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const path = join(await temporaryFolder(t), 'damaged');
  const bytes = Buffer.alloc(300_000, 'what was meant');
  const meant = { size: bytes.length, sha256: sha256Of(bytes) };
  const damaged = Buffer.from(bytes);
  damaged[150_000] = 0;
  await writeFile(path, damaged);
  await t.rejects(calls.putFile(path, 'damaged', meant), { name: /^(?:BadDigest|XAmzContentSHA256Mismatch)$/ });
  await t.rejects(calls.put('damaged', damaged, meant), { name: /^(?:BadDigest|XAmzContentSHA256Mismatch)$/ });
  await t.rejects(calls.putFile(join(path, 'nothing'), 'damaged', meant), { code: 'ENOTDIR' });
  t.equal(await calls.head('damaged'), undefined);
  await calls.put('damaged', bytes, meant);
  t.match(await calls.head('damaged'), { size: bytes.length });
});

t.test('s3: calls to a silent server time out', { skip: withoutS3 }, async (t) => {
  const { bucket, cable } = await createTestBucket(t);
  const calls = await openCalls(settingsOf(bucket), { connect: 300, answer: 300, silence: 300, again: 500 });
  t.teardown(() => calls.close());
  const bytes = Buffer.alloc(3_000_000, 'x');
  const path = join(await temporaryFolder(t), 'file');
  await writeFile(path, bytes);
  const file = { size: bytes.length, sha256: sha256Of(bytes) };
  await calls.putFile(path, 'kept', file);
  const opened = openObject(calls, 'kept', await calls.get('kept'));
  cable.silence();
  await t.rejects(calls.head('kept'));
  await t.rejects(calls.putFile(path, 'other', file));
  await t.rejects(opened.read(Buffer.alloc(bytes.length), 0), { code: 'STORAGE_UNAVAILABLE' });
  await cable.plugIn();
  t.equal(
    await opened.read(Buffer.alloc(bytes.length), 0),
    bytes.length,
    'the read succeeds once the server responds again',
  );
  await opened.close();
});

t.test('s3: more readers than connections take turns, and other calls do not wait', { skip: withoutS3 }, async (t) => {
  const { bucket } = await createTestBucket(t);
  const timeouts = { connect: 1_000, answer: 1_500, silence: 5_000, again: 500 };
  const calls = await openCalls(settingsOf(bucket), timeouts, { objects: 2, others: 1 });
  t.teardown(() => calls.close());
  // More than the network buffers hold.
  const bytes = randomBytes(16 * 2 ** 20);
  const path = join(await temporaryFolder(t), 'file');
  await writeFile(path, bytes);
  await calls.putFile(path, 'kept', { size: bytes.length, sha256: sha256Of(bytes) });

  const readers: OpenFile[] = [];
  for (let count = 0; count < 5; count += 1) readers.push(openObject(calls, 'kept', await calls.get('kept')));
  const chunk = Buffer.alloc(2 ** 18);
  for (let at = 0; at < 5 * chunk.length; at += chunk.length) {
    for (const reader of readers) {
      t.equal(await reader.read(chunk, at), chunk.length);
      t.ok(chunk.equals(bytes.subarray(at, at + chunk.length)));
    }
    t.match(await calls.head('kept'), { size: bytes.length });
    t.ok((await calls.peek('kept', { start: 5, end: 9 })).equals(bytes.subarray(5, 10)));
  }
  const all = await Promise.all(
    readers.map(async (reader) => {
      const whole = Buffer.alloc(bytes.length);
      await reader.read(whole, 0);
      return whole.equals(bytes);
    }),
  );
  t.same(all, [true, true, true, true, true], 'also all at the same time');
  for (const reader of readers) await reader.close();
});

t.test('s3: sealing an object reads it twice, rewrapping it once', { skip: withoutS3 }, async (t) => {
  const { bucket } = await createTestBucket(t);
  const calls = await openCalls(settingsOf(bucket));
  t.teardown(() => calls.close());
  const asked: string[] = [];
  const counted: typeof calls = {
    ...calls,
    async get(name, range, etag) {
      asked.push(range ? `${range.start}-${range.end}` : 'all');
      return calls.get(name, range, etag);
    },
  };
  const marker = { assertOwned: async () => {}, assertOwnedNow: async () => {} };
  const objects = createS3Store({ calls: counted, prefix: '', marker });
  const staging = createStaging(await temporaryFolder(t), 1n);
  await staging.open();
  const put: Put = async (write) => {
    await write();
    return true;
  };
  const key = newKey();
  const bytes = randomBytes(5 * 2 ** 20);
  await objects.write(key, bytes);
  const peek = `0-${BEGINNING - 1}`;
  const [old, present] = [randomBytes(32), randomBytes(32)];
  const withKeys = (ring: Keyring) => createSeals(objects, ring, staging, async () => {});

  t.equal(await withKeys(testKeyring(old)).seal(key, sha256Of(bytes), put), 'done');
  t.same(asked.splice(0), [peek, 'all', 'all']);
  const seals = withKeys(testKeyring(present, old));
  t.equal(await seals.rewrap(key, sha256Of(bytes), put), 'done');
  t.same(asked.splice(0), [peek, 'all']);
  t.equal(await seals.rewrap(key, sha256Of(bytes), put), 'before');
  t.same(asked.splice(0), [peek]);
});

t.test('s3: a slow reader of a sealed object requests no more than it reads', { skip: withoutS3 }, async (t) => {
  const { bucket } = await createTestBucket(t);
  const settings = settingsOf(bucket);
  const calls = await openCalls(settings);
  t.teardown(() => calls.close());
  const bytes = randomBytes(3 * 2 ** 20);
  const path = join(await temporaryFolder(t), 'file');
  await writeFile(path, bytes);
  await calls.putFile(path, 'kept', { size: bytes.length, sha256: sha256Of(bytes) });
  const asked: number[] = [];
  const counted = {
    ...calls,
    async get(...[name, range, etag]: Parameters<typeof calls.get>) {
      asked.push((range?.end ?? bytes.length - 1) + 1 - (range?.start ?? 0));
      return calls.get(name, range, etag);
    },
  };
  const reader = openObject(counted, 'kept', await calls.get('kept'));
  const segment = Buffer.alloc(2 ** 18);
  // As in delivery/streaming/stream-file.ts: each segment is opened once per piece.
  for (let at = 0; at < bytes.length; at += segment.length) {
    for (let piece = 0; piece < 4; piece += 1) {
      await reader.read(segment, at);
      t.ok(segment.equals(bytes.subarray(at, at + segment.length)));
    }
  }
  await reader.close();
  t.same([...new Set(asked)], [segment.length], 'each request is as long as the read');
});
