import { randomBytes } from 'node:crypto';
import { open as openFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { diskSample } from '../testing/disk.ts';
import { testKeyring } from '../testing/keyring.ts';
import { newKey } from '../testing/suite.ts';
import { sealWith } from './objects.ts';
import { openSealed, SEGMENT_SIZE } from './open-sealed.ts';

const keyring = testKeyring(randomBytes(32));

/** A sealed file of five segments on a disk. */
async function sealedFile(t: Test) {
  const { storage, bare } = await diskSample(t, await temporaryFolder(t), sealWith(keyring));
  const plain = randomBytes(5 * SEGMENT_SIZE - 1000);
  const key = newKey();
  await storage.commit(await storage.stage(Readable.from([plain])), key);
  return { plain, key, bare, path: bare.localPath?.(key) ?? '' };
}

/** Reads all plaintext in leased buffers and counts reads. @param isElsewhere hides the descriptor, as if remote */
async function lentBy({ plain, key, bare }: Awaited<ReturnType<typeof sealedFile>>, isElsewhere = false) {
  const found = await bare.open(key);
  if (!found) throw new Error('nothing is there');
  const { descriptor, ...file } = found;
  let reads = 0;
  const read: typeof file.read = (into, at) => {
    reads += 1;
    return file.read(into, at);
  };
  const opened = await openSealed(isElsewhere ? { ...file, read } : { ...found, read }, key, keyring);
  reads = 0;
  let at = 0;
  for (;;) {
    const lent = await opened.lease?.(at);
    if (!lent || lent.bytes.length === 0) break;
    const isRight = lent.bytes.equals(plain.subarray(at, at + lent.bytes.length));
    at += lent.bytes.length;
    lent.release();
    if (!isRight) throw new Error(`other bytes before ${at}`);
  }
  await opened.close();
  return { at, reads };
}

t.test('the decryption worker reads local files itself, but not remote ones', async (t) => {
  const sealed = await sealedFile(t);
  const size = sealed.plain.length;
  await eventually('the worker reads the file', async () => {
    const { at, reads } = await lentBy(sealed);
    t.equal(at, size);
    return reads === 0;
  });
  t.same(await lentBy(sealed, true), { at: size, reads: 5 });
});

t.test('the plaintext ends before a flipped byte, whichever thread opens its segment', async (t) => {
  const sealed = await sealedFile(t);
  await eventually('the worker reads the file', async () => (await lentBy(sealed)).reads === 0);
  const file = await openFile(sealed.path, 'r+');
  const byte = Buffer.alloc(1);
  const place = 3 * SEGMENT_SIZE + 1000;
  await file.read(byte, 0, 1, place);
  await file.write(Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, place);
  await file.close();
  const { at, reads } = await lentBy(sealed);
  t.ok(at < place && at > place - SEGMENT_SIZE, `${at} bytes`);
  t.ok(reads > 0, 'the main thread read the segment again');
});
