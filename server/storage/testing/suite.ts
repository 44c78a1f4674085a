/** What every kind of storage has to hold: disk, bucket, and both of them sealed. */
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

/** One storage of a kind, new and empty, closed and removed with the test. */
export type Sample = {
  storage: Storage;
  objects: ObjectStore;
  /** Another process's way to the same bytes. */
  second(): Promise<Storage>;
  /** As if its disk were unmounted or its network cut. @returns what puts it back */
  takeAway(): Promise<() => Promise<void>>;
};

const away = { code: 'STORAGE_UNAVAILABLE' };
const unknown = 'originals/00/nothing-stands-here.bin';
const badKeys = ['', 'originals', 'originals/../secret.txt', '../x/y.png', '/originals/a/b.png', 'others/a/b.png'];

/** Larger than a chunk of a stream, and of no round size. */
const large = Buffer.alloc(3 * 2 ** 20 + 7, 'what a picture is made of ');

export function newKey(collection: 'originals' | 'thumbnails' = 'originals'): string {
  const id = uuidv7();
  return `${collection}/${id.slice(-2)}/${id}.bin`;
}

async function readWhole({ read }: Pick<Storage, 'read'>, key: string, range?: { start: number; end: number }) {
  const stream = await read(key, range);
  return stream && buffer(stream);
}

/** In parts of several sizes, as a request brings them. */
const inParts = (bytes: Buffer) =>
  Readable.from(
    [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)].filter((part) => part.length),
  );

async function keysOf(objects: ObjectStore, collection: 'originals' | 'thumbnails'): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list(collection)) keys.push(key);
  return keys.sort();
}

/** @param skip why this kind cannot be had here, or false */
export function storageSuite(name: string, open: (t: Test) => Promise<Sample>, skip: string | false = false): void {
  const test = (title: string, work: (t: Test, sample: Sample) => Promise<void>) =>
    t.test(`${name}: ${title}`, { skip }, async (t) => work(t, await open(t)));

  test('what is staged can be read at once, and is kept as it is', async (t, { storage, second }) => {
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
      await t.rejects(readFile(staged.path), { code: 'ENOENT' }, 'nothing is left of it in staging');
    }
  });

  test('what is discarded, or breaks off on its way, leaves nothing', async (t, { storage, objects }) => {
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

  test('small bytes are written, and written over, under another version', async (t, { storage, second }) => {
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
    t.ok((await readWhole(storage, key))?.equals(large), 'kept over what stood there');
    const { version } = (await storage.stat(key)) ?? {};
    t.equal((await storage.stat(key))?.version, version, 'what is not written stays the same version');
  });

  test('a range is exactly its bytes', async (t, { storage }) => {
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

  test('a file that is held open stays what it was', async (t, { storage }) => {
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
    t.equal(await file.read(into, large.length - 10), 10, 'fewer where it ends');
    t.ok(into.subarray(0, 10).equals(large.subarray(-10)));
    t.equal(await file.read(into, large.length), 0);
    await storage.write(key, Buffer.alloc(large.length, 'x'));
    // Its own bytes, or none: never those of the other.
    const read = await file.read(into, 500_000).catch(() => undefined);
    if (read !== undefined) t.ok(into.equals(large.subarray(500_000, 600_000)));
    await file.close();
    const again = await storage.open(key);
    t.not(again?.version, file.version);
    await again?.close();
  });

  test('where nothing stands, nothing is answered, and removing does nothing', async (t, { storage }) => {
    t.equal(await storage.read(unknown), undefined);
    t.equal(await storage.read(unknown, { start: 0, end: 3 }), undefined);
    t.equal(await storage.open(unknown), undefined);
    t.equal(await storage.stat(unknown), undefined);
    await storage.remove(unknown);
  });

  test('what is removed is gone for everybody, and its key can be used again', async (t, { storage, second }) => {
    const key = newKey();
    const other = await second();
    await storage.write(key, Buffer.from('one'));
    await other.remove(key);
    t.equal(await storage.stat(key), undefined);
    t.equal(await storage.read(key), undefined);
    await other.write(key, Buffer.from('two'));
    t.equal((await readWhole(storage, key))?.toString(), 'two');
  });

  test('a list has everything once, with its size', async (t, { storage, objects }) => {
    const keys = Array.from({ length: 25 }, () => newKey());
    await Promise.all(keys.map((key, size) => storage.write(key, Buffer.alloc(size))));
    await storage.write(newKey('thumbnails'), Buffer.from('not an original'));
    t.same(await keysOf(objects, 'originals'), [...keys].sort());
    for await (const { key, size, modified } of objects.list('originals')) {
      t.equal(size, keys.indexOf(key));
      t.ok(Math.abs(modified.getTime() - Date.now()) < 3_600_000);
    }
  });

  test('a text that is no key is refused before anything is done', async (t, { storage }) => {
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

  test('many at once are each whole', async (t, { storage }) => {
    const files = Array.from({ length: 30 }, (_, place) => ({
      key: newKey(),
      bytes: Buffer.alloc(70_000 + place, place),
    }));
    await Promise.all(files.map(async ({ key, bytes }) => storage.commit(await storage.stage(inParts(bytes)), key)));
    const read = await Promise.all(files.map(({ key }) => readWhole(storage, key)));
    for (const [place, { bytes }] of files.entries()) t.ok(read[place]?.equals(bytes));
  });

  test('a storage that is away says so, loses nothing, and goes on when it is back', async (t, sample) => {
    const { storage, objects } = sample;
    const key = newKey();
    await storage.write(key, Buffer.from('before'));
    const staged = await storage.stage(inParts(large));
    t.equal(await storage.isHealthy(), true);
    const putBack = await sample.takeAway();
    t.equal(await storage.isHealthy(), false);
    await t.rejects(storage.write(key, Buffer.from('meanwhile')), away);
    await t.rejects(storage.stat(unknown), away, 'nothing is said to be absent');
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

  test('a reader that leaves in the middle holds nothing up', async (t, { storage }) => {
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

/** What every kind has to hold of uploads in pieces. */
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

  test('an upload in pieces goes on in another process, and comes back whole', async (t, { storage, second }) => {
    const other = await second();
    let upload: Counted = none();
    t.ok(await storage.partials.isThere(upload));
    t.equal((await contentOf(storage, upload)).length, 0);
    const ends = [1, 2, 70_000, 1_000_000, large.length];
    for (const [place, end] of ends.entries()) {
      upload = await append(place % 2 === 0 ? storage : other, upload, large.subarray(upload.received, end));
      t.ok((await contentOf(other, upload)).equals(large.subarray(0, end)), `${end} bytes`);
      t.ok(await storage.partials.isThere(upload));
    }
    t.same([...(await other.partials.ids())], [upload.id]);
    await other.partials.remove(upload.id);
    t.equal((await storage.partials.ids()).size, 0);
    t.equal(await storage.partials.isThere(upload), false);
    await other.partials.remove(upload.id);
  });

  test('what a loser wrote at the same place never gets in', async (t, { storage, second }) => {
    const upload = await append(storage, none(), Buffer.from('begun '));
    const other = await second();
    const files = [await storage.partials.open(upload), await other.partials.open(upload)];
    const words = ['the loser wrote this, and more of it', 'the winner this'];
    await Promise.all(files.map((file, place) => file.write(Buffer.from(words[place] ?? ''))));
    const [lost, won] = await Promise.all(files.map((file) => file.sync()));
    await Promise.all(files.map((file) => file.close()));
    const received = upload.received + (words[1]?.length ?? 0);
    const counted = { ...upload, received, pieces: won ?? [] };
    t.notSame(lost, won);
    t.equal((await contentOf(storage, counted)).toString(), 'begun the winner this');
    const whole = await append(storage, counted, Buffer.from(', and the end'));
    t.equal((await contentOf(other, whole)).toString(), 'begun the winner this, and the end');
    await storage.partials.remove(upload.id);
    t.equal((await storage.partials.ids()).size, 0, 'the pieces that nobody counted are gone too');
  });

  test('several syncs of one writer are all counted, and what was not synced is not', async (t, { storage }) => {
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

  test('a place that is away keeps its pieces, and none are said to be lost', async (t, sample) => {
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
