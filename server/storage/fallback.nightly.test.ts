import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../testing/app.ts';
import { withoutS3 } from '../testing/s3.ts';
import { diskBackend } from './disk/backend.ts';
import { fallBack } from './fallback.ts';
import type { ObjectStore } from './object-store.ts';
import { makeMarker } from './ownership/marker.ts';
import { sealWith } from './sealed/objects.ts';
import { createStaging } from './staging.ts';
import { testKeyring } from './testing/keyring.ts';
import { partialsChecks } from './testing/partials-checks.ts';
import { s3Sample } from './testing/s3.ts';
import { newKey, runChecks } from './testing/sample.ts';
import { storageChecks } from './testing/storage-checks.ts';

t.setTimeout(240_000);

const keyring = testKeyring(randomBytes(32));

async function sample(t: Test, wrap?: Parameters<typeof s3Sample>[1]) {
  const root = join(await temporaryFolder(t), 'files');
  let disk: ObjectStore | undefined;
  const all = await s3Sample(t, wrap, (installation) => async () => {
    await makeMarker(root, installation);
    const staging = createStaging(root, 1n);
    await staging.open();
    disk = await diskBackend(root).objects(installation, staging);
    return disk;
  });
  if (!disk) throw new Error('not opened');
  const takeDiskAway = async () => {
    await rename(root, `${root}-elsewhere`);
    return () => rename(`${root}-elsewhere`, root);
  };
  return { ...all, disk, takeDiskAway };
}

for (const [name, wrap] of Object.entries({ 's3 before a disk': undefined, 'both sealed': sealWith(keyring) })) {
  runChecks(name, storageChecks, (t) => sample(t, wrap), withoutS3);
  runChecks(name, partialsChecks, (t) => sample(t, wrap), withoutS3);
}

t.test('an object only on the disk is read from there and removed from both', { skip: withoutS3 }, async (t) => {
  const { storage, disk } = await sample(t);
  const [old, both] = [newKey(), newKey()];
  await disk.write(old, Buffer.from('from before'));
  await disk.write(both, Buffer.from('outdated'));
  await storage.write(both, Buffer.from('the new one'));
  const read = async (key: string) => {
    const stream = await storage.read(key);
    return stream && (await buffer(stream)).toString();
  };
  t.equal(await read(old), 'from before');
  t.equal(await read(both), 'the new one');
  t.match(await storage.stat(old), { size: 11 });
  const file = await storage.open(old);
  t.equal(await file?.read(Buffer.alloc(11), 0), 11);
  await file?.close();
  await storage.withLocalFile(old, async ({ sha256 }) => t.match(sha256, /^[0-9a-f]{64}$/));
  for (const key of [old, both]) {
    await storage.remove(key);
    t.equal(await read(key), undefined);
    t.equal(await disk.stat(key), undefined);
  }
});

t.test('upload pieces in the second backend are not listed', { skip: withoutS3 }, async (t) => {
  const { bare, disk } = await sample(t);
  const key = 'partials/0198c0de/0.part';
  await bare.write(key, Buffer.from('a piece'));
  const listed = async (objects: ObjectStore) => {
    const keys: string[] = [];
    for await (const { key } of objects.list('partials')) keys.push(key);
    return keys;
  };
  t.same(await listed(bare), [key]);
  t.same(await listed(fallBack(disk, bare)), []);
  t.same(await listed(fallBack(bare, disk)), [key]);
});

t.test('no object is reported absent while the bucket or the disk is unavailable', { skip: withoutS3 }, async (t) => {
  const { storage, disk, takeAway, takeDiskAway } = await sample(t);
  const key = newKey();
  await disk.write(key, Buffer.from('from before'));
  for (const take of [takeAway, takeDiskAway]) {
    const putBack = await take();
    for (const of of [key, newKey()]) await t.rejects(storage.read(of), { code: 'STORAGE_UNAVAILABLE' });
    t.equal(await storage.isHealthy(), false);
    await putBack();
    t.ok(await storage.read(key).then((stream) => stream?.destroy()));
    t.equal(await storage.isHealthy(), true);
  }
});
