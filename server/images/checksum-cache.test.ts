import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { sha256Of } from '../lib/sha256.ts';
import type { Storage } from '../storage/storage.ts';
import { temporaryFolder } from '../testing/app.ts';
import { openTestStorage } from '../testing/storage.ts';
import { createChecksumCache } from './checksum-cache.ts';

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
  return { storage, reads, checksums: createChecksumCache(counting) };
}

t.test('concurrent reads of a file hash it once, and again after it changes', async (t) => {
  const { storage, reads, checksums } = await prepare(t);
  t.equal(await checksums.read(key), undefined, 'the file is missing');
  await storage.write(key, bytes);
  const found = await Promise.all([checksums.read(key), checksums.read(key), checksums.read(key)]);
  for (const one of found) t.equal(one?.sha256, sha256Of(bytes));
  t.equal(reads.length, 1);

  const other = Buffer.from(bytes);
  other[7] = 0;
  await storage.withLocalFile(key, async ({ path }) => {
    await writeFile(path, other);
    // The change is detected despite a restored time, as copy tools set it.
    await utimes(path, 0, 0);
  });
  t.equal((await checksums.read(key))?.sha256, sha256Of(other));
  t.equal(reads.length, 2);
});

t.test('an unreadable file counts as missing', async (t) => {
  const { storage, checksums } = await prepare(t);
  // Like a file with a bad sector, a folder opens and fails when it is read.
  await storage.withLocalFile(key, ({ path }) => mkdir(path, { recursive: true }));
  t.equal(await checksums.read(key), undefined);
});

t.test('wrong bytes that the storage returns once are read again', async (t) => {
  const { storage } = await prepare(t);
  await storage.write(key, bytes);
  for (const [lies, wanted, digest] of [
    [1, sha256Of(bytes), sha256Of(bytes)],
    [2, sha256Of(bytes), sha256Of(Buffer.from('other bytes'))],
    [2, undefined, sha256Of(Buffer.from('other bytes'))],
  ] as const) {
    let reads = 0;
    const lying: Pick<Storage, 'read' | 'stat'> = {
      stat: storage.stat,
      read: async (name) => {
        reads += 1;
        return reads <= lies ? Readable.from([Buffer.from('other bytes')]) : storage.read(name);
      },
    };
    const checksums = createChecksumCache(lying);
    for (let time = 0; time < 3; time += 1) t.equal((await checksums.read(key, wanted))?.sha256, digest);
    t.equal(reads, wanted ? 2 : 1, 'the second result is accepted');
  }
});

t.test('a seal that is broken once is read again', async (t) => {
  const { storage } = await prepare(t);
  await storage.write(key, bytes);
  for (const failures of [1, 2]) {
    let reads = 0;
    const checksums = createChecksumCache({
      stat: storage.stat,
      read: async (name) => {
        reads += 1;
        if (reads > failures) return storage.read(name);
        const broken = Object.assign(new Error('a broken seal'), { syscall: 'read', code: 'EBADMSG' });
        return new Readable({
          read() {
            this.destroy(broken);
          },
        });
      },
    });
    for (let time = 0; time < 3; time += 1) {
      t.equal((await checksums.read(key))?.sha256, failures === 1 ? sha256Of(bytes) : undefined);
    }
    t.equal(reads, 2);
  }
});

t.test('a wrong checksum is read again after a minute, because a repair may keep the version', async (t) => {
  let [given, time] = [Buffer.from('wrong bytes'), 0];
  const storage = { stat: async () => ({ size: 11, version: 'its tag' }), read: async () => Readable.from([given]) };
  const checksums = createChecksumCache(storage, () => time);
  const wanted = sha256Of(Buffer.from('right bytes'));
  t.equal((await checksums.read(key, wanted))?.sha256, sha256Of(Buffer.from('wrong bytes')));
  given = Buffer.from('right bytes');
  time = 59_999;
  t.not((await checksums.read(key, wanted))?.sha256, wanted, 'not read again within the minute');
  time = 60_000;
  t.equal((await checksums.read(key, wanted))?.sha256, wanted);
  given = Buffer.from('wrong bytes');
  time = 600_000;
  t.equal((await checksums.read(key, wanted))?.sha256, wanted, 'a right checksum does not expire');
});
