import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { createChecksumCache } from '../images/checksum-cache.ts';
import { originalKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import type { OpenFile } from '../storage/object-store.ts';
import type { Storage } from '../storage/storage.ts';
import { temporaryFolder } from '../testing/app.ts';
import { openTestStorage } from '../testing/storage.ts';
import { createOriginals } from './originals.ts';

const bytes = Buffer.alloc(600_000, 'bytes of a picture');
const row = {
  id: '0198c0de-0000-7000-8000-000000000001',
  extension: 'jpg',
  linkKey: 'the-link-is-the-permission',
  size: bytes.length,
  sha256: sha256Of(bytes),
} as ImageRow;

/** Stores an original that is read in two pieces. @param around wraps the storage */
async function prepare(t: Test, around: (storage: Storage) => Storage = (storage) => storage) {
  const own = await openTestStorage(join(await temporaryFolder(t), 'files'));
  const storage = around(own);
  const lines: unknown[][] = [];
  const log = { error: (...args: unknown[]) => void lines.push(args) };
  const originals = createOriginals({ storage, checksums: createChecksumCache(storage), log: log as never });
  await own.write(originalKey(row), bytes);
  const put = (now: Buffer) => own.withLocalFile(originalKey(row), ({ path }) => writeFile(path, now));
  const read = async () => {
    const reader = await originals.open(row);
    const [first, rest] = [Buffer.alloc(400_000), Buffer.alloc(200_000)];
    try {
      await reader?.read(first, 0);
      await reader?.read(rest, first.length);
    } finally {
      await reader?.close();
    }
    return Buffer.concat([first, rest]);
  };
  return { originals, lines, put, read };
}

t.test('a damaged original is logged once, with its id and without its link key', async (t) => {
  const { originals, lines, put, read } = await prepare(t);
  t.ok((await read()).equals(bytes));
  t.same(lines, []);

  for (const at of [10, 599_999]) {
    lines.length = 0;
    const damaged = Buffer.from(bytes);
    damaged[at] = 0;
    await put(damaged);
    for (let time = 0; time < 3; time += 1) await t.rejects(read(), { code: 'DAMAGED_ORIGINAL' });
    await t.rejects(originals.open(row, { start: 0, end: 5 }), { code: 'DAMAGED_ORIGINAL' });
    t.equal(lines.length, 1);
    t.match(JSON.stringify(lines), row.id);
    t.notMatch(JSON.stringify(lines), row.linkKey);
  }
  await put(bytes);
  t.ok((await read()).equals(bytes), 'served again after it is restored');
});

const wrong = (into: Uint8Array) => into.fill(0).length;
const none = () => 0;

for (const [what, damage, isKnown] of [
  ['wrong bytes', wrong, false],
  ['no bytes', none, false],
  ['no bytes of a version that was read before', none, true],
] as const) {
  t.test(`an original is not reported as damaged if the storage returns ${what} once`, async (t) => {
    let isLying = false;
    const lie = async (file: OpenFile, into: Uint8Array, at: number) => {
      const count = await file.read(into, at);
      return isLying && at > 0 ? damage(into) : count;
    };
    const { originals, lines, read } = await prepare(t, (storage) => ({
      ...storage,
      async open(key) {
        const file = await storage.open(key);
        return file && { ...file, read: lie.bind(undefined, file) };
      },
    }));
    if (isKnown) await read();
    isLying = true;
    await t.rejects(read(), { code: 'STORAGE_UNAVAILABLE' }, 'the response does not complete');
    isLying = false;
    t.ok((await read()).equals(bytes));
    const part = await originals.open(row, { start: 0, end: 5 });
    await part?.close();
    t.same(lines, []);
  });
}
