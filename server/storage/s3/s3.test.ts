/** Objects in the bucket of a real S3 server. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256Of } from '../../sha256.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { createTestBucket, settingsOf, withoutS3 } from '../../testing/s3.ts';
import { sealWith } from '../sealed/objects.ts';
import { testKeyring } from '../testing/keyring.ts';
import { s3Sample } from '../testing/s3.ts';
import { partialsSuite, storageSuite } from '../testing/suite.ts';
import { openCalls } from './calls.ts';
import { openObject } from './open-object.ts';

t.setTimeout(240_000);

const keyring = testKeyring(randomBytes(32));
const kinds = { s3: undefined, 'sealed s3': sealWith(keyring) };

for (const [name, wrap] of Object.entries(kinds)) {
  const open = (t: Test) => s3Sample(t, wrap);
  storageSuite(name, open, withoutS3);
  partialsSuite(name, open, withoutS3);
}

t.test('s3: other bytes than those that were meant are refused, and nothing stands', { skip: withoutS3 }, async (t) => {
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

t.test('s3: a server that says nothing any more is given up', { skip: withoutS3 }, async (t) => {
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
  t.equal(await opened.read(Buffer.alloc(bytes.length), 0), bytes.length, 'and read again when it speaks');
  await opened.close();
});
