import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { away, type Checks, inParts, keysOf, large, newKey, readWhole, type Sample } from './sample.ts';

const unknown = 'originals/00/missing.bin';
const badKeys = ['', 'originals', 'originals/../secret.txt', '../x/y.png', '/originals/a/b.png', 'others/a/b.png'];

/** What every storage does. */
export const storageChecks: Checks<Sample> = {
  'a staged file is readable at once and committed unchanged': async (t, { storage, second }) => {
    for (const bytes of [large, Buffer.from('x'), Buffer.alloc(0)]) {
      const key = newKey();
      const staged = await storage.stage(inParts(bytes));
      t.equal(staged.size, bytes.length);
      t.equal(staged.sha256, createHash('sha256').update(bytes).digest('hex'));
      t.ok((await readFile(staged.path)).equals(bytes));
      t.equal(await storage.stat(key), undefined);
      await storage.commit(staged, key);
      t.ok((await readWhole(storage, key))?.equals(bytes));
      t.match(await storage.stat(key), { size: bytes.length, version: /./ });
      t.ok((await readWhole(await second(), key))?.equals(bytes));
      await t.rejects(readFile(staged.path), { code: 'ENOENT' }, 'it is gone from the staging');
    }
  },

  'a discarded or interrupted file leaves nothing': async (t, { storage, objects }) => {
    const staged = await storage.stage(inParts(large));
    await storage.discard(staged);
    await t.rejects(readFile(staged.path), { code: 'ENOENT' });
    const failure = new Error('the connection was lost');
    const breaking = async function* () {
      yield large.subarray(0, 1000);
      throw failure;
    };
    await t.rejects(storage.stage(Readable.from(breaking())), failure);
    t.same(await keysOf(objects, 'originals'), []);
  },

  'each overwrite of a small object has a new version': async (t, { storage, second }) => {
    const key = newKey('thumbnails');
    const versions = new Set<string | undefined>();
    for (const text of ['first', 'other', 'a longer one', '']) {
      await storage.write(key, Buffer.from(text));
      t.equal((await readWhole(storage, key))?.toString(), text);
      const stored = await (await second()).stat(key);
      t.equal(stored?.size, text.length);
      versions.add(stored?.version);
    }
    t.equal(versions.size, 4);
    const staged = await storage.stage(inParts(large));
    await storage.commit(staged, key);
    t.ok((await readWhole(storage, key))?.equals(large), 'commit replaces the object');
    const { version } = (await storage.stat(key)) ?? {};
    t.equal((await storage.stat(key))?.version, version, 'the version stays while nothing is written');
  },

  'a range returns exactly its bytes': async (t, { storage }) => {
    const key = newKey();
    await storage.commit(await storage.stage(inParts(large)), key);
    const last = large.length - 1;
    const ranges = [
      [0, 0],
      [0, 65_535],
      [65_535, 65_536],
      [1_048_570, 1_048_580],
      [last, last],
      [last - 5, last],
      [0, last],
    ] as const;
    for (const [start, end] of ranges) {
      const part = await readWhole(storage, key, { start, end });
      t.ok(part?.equals(large.subarray(start, end + 1)), `${start}-${end}`);
    }
  },

  'an open file keeps its contents': async (t, { storage }) => {
    const key = newKey();
    await storage.commit(await storage.stage(inParts(large)), key);
    const file = await storage.open(key);
    if (!file) throw new Error('not there');
    t.match(file, { ...(await storage.stat(key)) });
    const into = Buffer.alloc(100_000);
    for (const at of [0, 2_000_001, 1_000_000, 65_536]) {
      t.equal(await file.read(into, at), into.length);
      t.ok(into.equals(large.subarray(at, at + into.length)), `from ${at}`);
    }
    t.equal(await file.read(into, large.length - 10), 10, 'fewer bytes at the end');
    t.ok(into.subarray(0, 10).equals(large.subarray(-10)));
    t.equal(await file.read(into, large.length), 0);
    await storage.write(key, Buffer.alloc(large.length, 'x'));
    // The old bytes or an error, but never the new ones.
    const read = await file.read(into, 500_000).catch(() => undefined);
    if (read !== undefined) t.ok(into.equals(large.subarray(500_000, 600_000)));
    await file.close();
    const again = await storage.open(key);
    t.not(again?.version, file.version);
    await again?.close();
  },

  'a missing object reads as undefined, and removing it does nothing': async (t, { storage }) => {
    t.equal(await storage.read(unknown), undefined);
    t.equal(await storage.read(unknown, { start: 0, end: 3 }), undefined);
    t.equal(await storage.open(unknown), undefined);
    t.equal(await storage.stat(unknown), undefined);
    await storage.remove(unknown);
  },

  'a removed object is gone for every process, and its key can be reused': async (t, { storage, second }) => {
    const key = newKey();
    const other = await second();
    await storage.write(key, Buffer.from('one'));
    await other.remove(key);
    t.equal(await storage.stat(key), undefined);
    t.equal(await storage.read(key), undefined);
    await other.write(key, Buffer.from('two'));
    t.equal((await readWhole(storage, key))?.toString(), 'two');
  },

  'a list contains each object once, with its size': async (t, { storage, objects }) => {
    const keys = Array.from({ length: 25 }, () => newKey());
    await Promise.all(keys.map((key, size) => storage.write(key, Buffer.alloc(size))));
    await storage.write(newKey('thumbnails'), Buffer.from('not an original'));
    t.same(await keysOf(objects, 'originals'), [...keys].sort());
    for await (const { key, size, modified } of objects.list('originals')) {
      t.equal(size, keys.indexOf(key));
      t.ok(Math.abs(modified.getTime() - Date.now()) < 3_600_000);
    }
  },

  'an invalid key is refused before any work': async (t, { storage }) => {
    for (const key of badKeys) {
      await t.rejects(storage.write(key, Buffer.from('x')), TypeError, key);
      await t.rejects(storage.read(key), TypeError, key);
      await t.rejects(storage.open(key), TypeError, key);
      await t.rejects(storage.stat(key), TypeError, key);
      await t.rejects(storage.remove(key), TypeError, key);
    }
  },

  'the decoder gets a local file with the bytes': async (t, { storage }) => {
    const key = newKey();
    await storage.commit(await storage.stage(inParts(large)), key);
    const hex = createHash('sha256').update(large).digest('hex');
    const seen = await storage.withLocalFile(key, async ({ path, sha256 }) => {
      t.ok(sha256 === undefined || sha256 === hex);
      return readFile(path);
    });
    t.ok(seen.equals(large));
    await storage.withLocalFile(unknown, async ({ path, sha256 }) => {
      t.notOk(sha256);
      await t.rejects(readFile(path), { code: 'ENOENT' });
    });
  },

  'concurrent writes and reads are complete': async (t, { storage }) => {
    const files = Array.from({ length: 30 }, (_, index) => ({
      key: newKey(),
      bytes: Buffer.alloc(70_000 + index, index),
    }));
    await Promise.all(files.map(async ({ key, bytes }) => storage.commit(await storage.stage(inParts(bytes)), key)));
    const read = await Promise.all(files.map(({ key }) => readWhole(storage, key)));
    for (const [index, { bytes }] of files.entries()) t.ok(read[index]?.equals(bytes));
  },

  'an unavailable storage fails, loses nothing and recovers': async (t, sample) => {
    const { storage, objects } = sample;
    const key = newKey();
    await storage.write(key, Buffer.from('before'));
    const staged = await storage.stage(inParts(large));
    t.equal(await storage.isHealthy(), true);
    const putBack = await sample.takeAway();
    t.equal(await storage.isHealthy(), false);
    await t.rejects(storage.write(key, Buffer.from('meanwhile')), away);
    await t.rejects(storage.stat(unknown), away, 'no object is reported absent');
    await t.rejects(storage.read(unknown), away);
    await t.rejects(storage.open(unknown), away);
    await t.rejects(storage.remove(key), away);
    await t.rejects(keysOf(objects, 'originals'), away);
    await putBack();
    t.equal(await storage.isHealthy(), true);
    t.equal((await readWhole(storage, key))?.toString(), 'before');
    await storage.commit(staged, key);
    t.ok((await readWhole(storage, key))?.equals(large));
  },

  'aborted reads do not block later ones': async (t, { storage }) => {
    const key = newKey();
    await storage.commit(await storage.stage(inParts(large)), key);
    for (let time = 0; time < 60; time += 1) {
      const stream = await storage.read(key);
      stream?.once('data', () => stream.destroy());
      if (stream) await once(stream, 'close');
    }
    t.ok((await readWhole(storage, key))?.equals(large));
  },
};
