import { randomBytes } from 'node:crypto';
import { open as openFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { testKeyring } from '../testing/keyring.ts';
import { newKey } from '../testing/sample.ts';
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

/** Reads plaintext in leased buffers until one is empty. @returns the number of bytes */
async function readLeased({ plain, key, bare }: Awaited<ReturnType<typeof sealedFile>>): Promise<number> {
  const found = await bare.open(key);
  if (!found) throw new Error('nothing is there');
  const opened = await openSealed(found, key, keyring);
  let at = 0;
  for (;;) {
    const leased = await opened.lease?.(at);
    if (!leased || leased.bytes.length === 0) break;
    const isRight = leased.bytes.equals(plain.subarray(at, at + leased.bytes.length));
    at += leased.bytes.length;
    leased.release();
    if (!isRight) throw new Error(`other bytes before ${at}`);
  }
  await opened.close();
  return at;
}

t.test('leased buffers return the whole plaintext', async (t) => {
  const sealed = await sealedFile(t);
  t.equal(await readLeased(sealed), sealed.plain.length);
});

t.test('the plaintext ends before the segment of a flipped byte', async (t) => {
  const sealed = await sealedFile(t);
  const file = await openFile(sealed.path, 'r+');
  const byte = Buffer.alloc(1);
  const position = 3 * SEGMENT_SIZE + 1000;
  await file.read(byte, 0, 1, position);
  await file.write(Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, position);
  await file.close();
  const length = await readLeased(sealed);
  t.ok(length < position && length > position - SEGMENT_SIZE, `${length} bytes`);
});
