import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256Of } from '../sha256.ts';
import type { Storage } from '../storage/storage.ts';
import { temporaryFolder } from '../testing/app.ts';
import { openTestStorage } from '../testing/storage.ts';
import { createDigests } from './digests.ts';

const key = 'thumbnails/00/picture.webp';
const bytes = Buffer.alloc(900_000, 'a picture');

async function prepare(t: Test) {
  const storage = await openTestStorage(join(await temporaryFolder(t), 'files'));
  const reads: string[] = [];
  const counting: Pick<Storage, 'read' | 'stat'> = {
    stat: storage.stat,
    read: (name) => {
      reads.push(name);
      return storage.read(name);
    },
  };
  return { storage, reads, digests: createDigests(counting) };
}

t.test('a file is read once, however many ask, and again when it has changed', async (t) => {
  const { storage, reads, digests } = await prepare(t);
  t.equal(await digests.read(key), undefined, 'nothing is there');
  await storage.write(key, bytes);
  t.match(await digests.known(key), { size: bytes.length, sha256: undefined });
  const found = await Promise.all([digests.read(key), digests.read(key), digests.read(key)]);
  for (const one of found) t.equal(one?.sha256, sha256Of(bytes));
  t.equal((await digests.known(key))?.sha256, sha256Of(bytes));
  t.equal(reads.length, 1);

  const other = Buffer.from(bytes);
  other[7] = 0;
  await storage.withLocalFile(key, async ({ path }) => {
    await writeFile(path, other);
    // Set back, as a tool that copies times does: the change still shows.
    await utimes(path, 0, 0);
  });
  t.equal((await digests.read(key))?.sha256, sha256Of(other));
  t.equal(reads.length, 2);
});

t.test('what the disk does not give back counts as lost', async (t) => {
  const { storage, digests } = await prepare(t);
  // Opens, as a file with a bad sector does, and fails when it is read.
  await storage.withLocalFile(key, ({ path }) => mkdir(path, { recursive: true }));
  t.equal(await digests.read(key), undefined);
});
