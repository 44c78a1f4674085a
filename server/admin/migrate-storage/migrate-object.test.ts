import { randomBytes, randomUUID } from 'node:crypto';
import t from 'tap';
import { sha256Of, sha256OfStream } from '../../lib/sha256.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { diskSample } from '../../storage/testing/disk.ts';
import { testKeyring } from '../../storage/testing/keyring.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { copyObject } from './migrate-object.ts';

/** An object store that reports the SHA-256 of its objects, like a bucket. */
const reporting = (objects: ObjectStore): ObjectStore => ({
  ...objects,
  async stat(key) {
    const [stored, stream] = [await objects.stat(key), await objects.read(key)];
    return stored && stream && { ...stored, sha256: await sha256OfStream(stream) };
  },
});

t.test('plain bytes at the target are never accepted as the sealed ones that the row names', async (t) => {
  const [source, target] = [
    await diskSample(t, await temporaryFolder(t)),
    await diskSample(t, await temporaryFolder(t)),
  ];
  const staging = createStaging(target.root, 3n);
  await staging.open();
  const sides = { from: source.bare, to: reporting(target.bare), staging, keyring: testKeyring(randomBytes(32)) };
  const plain = Buffer.from('plain');
  const cases = [
    { title: 'the row has no SHA-256', sha256: null, stored: plain },
    { title: 'the source has lost it', sha256: sha256Of(Buffer.from('another')), stored: undefined },
    { title: 'source and target agree', sha256: sha256Of(Buffer.from('another')), stored: plain },
  ];
  for (const { title, sha256, stored } of cases) {
    const key = `thumbnails/aa/${randomUUID()}.webp`;
    await target.bare.write(key, plain);
    if (stored) await source.bare.write(key, stored);
    const outcome = await copyObject(sides, { key, sha256, sealed: true }).catch((error) => error);
    t.match(outcome, stored ? { reason: 'plain bytes are stored where sealed ones belong' } : { is: 'absent' }, title);
  }
});
