import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import type { ObjectStore } from '../object-store.ts';
import type { Counted } from '../partials.ts';
import type { Storage } from '../storage.ts';

export type Sample = {
  storage: Storage;
  objects: ObjectStore;
  /** Opens the same storage as another process. */
  second(): Promise<Storage>;
  /** Unmounts the disk or cuts the network. @returns a function that restores it */
  takeAway(): Promise<() => Promise<void>>;
};

const away = { code: 'STORAGE_UNAVAILABLE' };
const unknown = 'originals/00/missing.bin';
const badKeys = ['', 'originals', 'originals/../secret.txt', '../x/y.png', '/originals/a/b.png', 'others/a/b.png'];

/** Larger than a stream's chunk, and not a round size. */
const large = Buffer.alloc(3 * 2 ** 20 + 7, 'what a picture is made of ');

export function newKey(collection: 'originals' | 'thumbnails' = 'originals'): string {
  const id = uuidv7();
  return `${collection}/${id.slice(-2)}/${id}.bin`;
}

async function readWhole({ read }: Pick<Storage, 'read'>, key: string, range?: { start: number; end: number }) {
  const stream = await read(key, range);
  return stream && buffer(stream);
}

const inParts = (bytes: Buffer) =>
  Readable.from(
    [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)].filter((part) => part.length),
  );

async function keysOf(objects: ObjectStore, collection: 'originals' | 'thumbnails'): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list(collection)) keys.push(key);
  return keys.sort();
}

/** @param skip why the storage is not available here, or false */
export function storageSuite(name: string, open: (t: Test) => Promise<Sample>, skip: string | false = false): void {
  const test = (title: string, work: (t: Test, sample: Sample) => Promise<void>) =>
    t.test(`${name}: ${title}`, { skip }, async (t) => work(t, await open(t)));

  test('a staged file is readable at once and committed unchanged', async (t, { storage, second }) => {
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
  });

  test('a discarded or interrupted file leaves nothing', async (t, { storage, objects }) => {
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
  });

  test('each overwrite of a small object has a new version', async (t, { storage, second }) => {
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
  });

  test('a range returns exactly its bytes', async (t, { storage }) => {
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
  });

  test('an open file keeps its contents', async (t, { storage }) => {
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
  });

  test('a missing object reads as undefined, and removing it does nothing', async (t, { storage }) => {
    t.equal(await storage.read(unknown), undefined);
    t.equal(await storage.read(unknown, { start: 0, end: 3 }), undefined);
    t.equal(await storage.open(unknown), undefined);
    t.equal(await storage.stat(unknown), undefined);
    await storage.remove(unknown);
  });

  test('a removed object is gone for every process, and its key can be reused', async (t, { storage, second }) => {
    const key = newKey();
    const other = await second();
    await storage.write(key, Buffer.from('one'));
    await other.remove(key);
    t.equal(await storage.stat(key), undefined);
    t.equal(await storage.read(key), undefined);
    await other.write(key, Buffer.from('two'));
    t.equal((await readWhole(storage, key))?.toString(), 'two');
  });

  test('a list contains each object once, with its size', async (t, { storage, objects }) => {
    const keys = Array.from({ length: 25 }, () => newKey());
    await Promise.all(keys.map((key, size) => storage.write(key, Buffer.alloc(size))));
    await storage.write(newKey('thumbnails'), Buffer.from('not an original'));
    t.same(await keysOf(objects, 'originals'), [...keys].sort());
    for await (const { key, size, modified } of objects.list('originals')) {
      t.equal(size, keys.indexOf(key));
      t.ok(Math.abs(modified.getTime() - Date.now()) < 3_600_000);
    }
  });

  test('an invalid key is refused before any work', async (t, { storage }) => {
    for (const key of badKeys) {
      await t.rejects(storage.write(key, Buffer.from('x')), TypeError, key);
      await t.rejects(storage.read(key), TypeError, key);
      await t.rejects(storage.open(key), TypeError, key);
      await t.rejects(storage.stat(key), TypeError, key);
      await t.rejects(storage.remove(key), TypeError, key);
    }
  });

  test('the decoder gets a local file with the bytes', async (t, { storage }) => {
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
  });

  test('concurrent writes and reads are complete', async (t, { storage }) => {
    const files = Array.from({ length: 30 }, (_, index) => ({
      key: newKey(),
      bytes: Buffer.alloc(70_000 + index, index),
    }));
    await Promise.all(files.map(async ({ key, bytes }) => storage.commit(await storage.stage(inParts(bytes)), key)));
    const read = await Promise.all(files.map(({ key }) => readWhole(storage, key)));
    for (const [index, { bytes }] of files.entries()) t.ok(read[index]?.equals(bytes));
  });

  test('an unavailable storage fails, loses nothing and recovers', async (t, sample) => {
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
  });

  test('aborted reads do not block later ones', async (t, { storage }) => {
    const key = newKey();
    await storage.commit(await storage.stage(inParts(large)), key);
    for (let time = 0; time < 60; time += 1) {
      const stream = await storage.read(key);
      stream?.once('data', () => stream.destroy());
      if (stream) await once(stream, 'close');
    }
    t.ok((await readWhole(storage, key))?.equals(large));
  });
}

export function partialsSuite(name: string, open: (t: Test) => Promise<Sample>, skip: string | false = false): void {
  const test = (title: string, work: (t: Test, sample: Sample) => Promise<void>) =>
    t.test(`${name}: ${title}`, { skip }, async (t) => work(t, await open(t)));
  const none = () => ({ id: randomUUID(), received: 0, pieces: [] as string[] });
  const contentOf = async ({ partials }: Storage, upload: Counted) => buffer(await partials.read(upload));

  async function append({ partials }: Storage, upload: Counted, bytes: Buffer): Promise<Counted> {
    const file = await partials.open(upload);
    await file.write(bytes);
    const pieces = await file.sync();
    await file.close();
    return { ...upload, received: upload.received + bytes.length, pieces };
  }

  test('a resumable upload continues in another process and is complete', async (t, { storage, second }) => {
    const other = await second();
    let upload: Counted = none();
    t.ok(await storage.partials.isThere(upload));
    t.equal((await contentOf(storage, upload)).length, 0);
    const ends = [1, 2, 70_000, 1_000_000, large.length];
    for (const [index, end] of ends.entries()) {
      upload = await append(index % 2 === 0 ? storage : other, upload, large.subarray(upload.received, end));
      t.ok((await contentOf(other, upload)).equals(large.subarray(0, end)), `${end} bytes`);
      t.ok(await storage.partials.isThere(upload));
    }
    t.same([...(await other.partials.ids())], [upload.id]);
    await other.partials.remove(upload.id);
    t.equal((await storage.partials.ids()).size, 0);
    t.equal(await storage.partials.isThere(upload), false);
    await other.partials.remove(upload.id);
  });

  test('unrecorded bytes of a concurrent writer are never read', async (t, { storage, second }) => {
    const upload = await append(storage, none(), Buffer.from('begun '));
    const other = await second();
    const files = [await storage.partials.open(upload), await other.partials.open(upload)];
    const texts = ['the loser wrote this, and more of it', 'the winner this'];
    await Promise.all(files.map((file, index) => file.write(Buffer.from(texts[index] ?? ''))));
    const [lost, won] = await Promise.all(files.map((file) => file.sync()));
    await Promise.all(files.map((file) => file.close()));
    const received = upload.received + (texts[1]?.length ?? 0);
    const counted = { ...upload, received, pieces: won ?? [] };
    t.notSame(lost, won);
    t.equal((await contentOf(storage, counted)).toString(), 'begun the winner this');
    const whole = await append(storage, counted, Buffer.from(', and the end'));
    t.equal((await contentOf(other, whole)).toString(), 'begun the winner this, and the end');
    await storage.partials.remove(upload.id);
    t.equal((await storage.partials.ids()).size, 0, 'unrecorded pieces are removed too');
  });

  test('all syncs of a writer count, and unsynced bytes do not', async (t, { storage }) => {
    const upload = none();
    const file = await storage.partials.open(upload);
    await file.write(large.subarray(0, 100));
    const first = await file.sync();
    await file.write(large.subarray(100, 300));
    const both = await file.sync();
    await file.write(large.subarray(300, 400));
    await file.close();
    t.ok((await contentOf(storage, { ...upload, received: 100, pieces: first })).equals(large.subarray(0, 100)));
    t.ok((await contentOf(storage, { ...upload, received: 300, pieces: both })).equals(large.subarray(0, 300)));
    t.equal(await storage.partials.isThere({ ...upload, received: 1000, pieces: both }), false);
  });

  test('an unavailable storage keeps its pieces and reports none as lost', async (t, sample) => {
    const { partials } = sample.storage;
    const upload = await append(sample.storage, none(), large);
    const putBack = await sample.takeAway();
    await t.rejects(partials.isThere(upload), away);
    await t.rejects(append(sample.storage, upload, large), away);
    await t.rejects(partials.remove(upload.id), away);
    await putBack();
    t.ok((await contentOf(sample.storage, upload)).equals(large));
    await t.rejects(
      partials.open({ ...upload, id: '../x' }).then((file) => file.write(large)),
      TypeError,
    );
  });
}
