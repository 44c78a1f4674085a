/** A storage that reports an unchanged version for changed bytes. */
import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { createChecksumCache } from '../images/checksum-cache.ts';
import { thumbnailKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import { createRenditionsOnDemand } from '../renditions/on-demand.ts';
import { renewRenditions } from '../renditions/rebuild-renditions.ts';
import type { StoredBytes } from '../storage/byte-source.ts';
import type { ObjectStore, Stored } from '../storage/object-store.ts';
import { sealWith } from '../storage/sealed/objects.ts';
import type { Storage } from '../storage/storage.ts';
import { diskSample } from '../storage/testing/disk.ts';
import { testKeyring } from '../storage/testing/keyring.ts';
import { temporaryFolder } from '../testing/app.ts';
import { createRenditionBytes } from './rendition-bytes.ts';

const good = randomBytes(300_000);
const row = { id: '0198c0de-0000-7000-8000-000000000001', thumbnailSha256: sha256Of(good) } as ImageRow;
const key = thumbnailKey(row);

/**
 * Keeps the first version of a file until the server writes it, because bit rot changes no times.
 * @param byContent keeps it also then, like a bucket whose versions depend on the bytes
 */
function withoutTimes(objects: ObjectStore, byContent = false): ObjectStore {
  const versions = new Map<string, string>();
  const asBefore = <T extends Stored>(at: string, stored: T | undefined): T | undefined => {
    if (!stored) return undefined;
    const version = versions.get(at) ?? stored.version;
    versions.set(at, version);
    return { ...stored, version };
  };
  return {
    ...objects,
    stat: async (at) => asBefore(at, await objects.stat(at)),
    open: async (at) => asBefore(at, await objects.open(at)),
    async write(at, bytes) {
      await objects.write(at, bytes);
      if (!byContent) versions.delete(at);
    },
  };
}

/** A database whose transactions find only this row. */
function databaseOf(row: ImageRow): Database {
  const steps = ['select', 'from', 'where', 'orderBy', 'for', 'update', 'set'];
  const statement = Promise.resolve([row]);
  Object.assign(statement, Object.fromEntries(steps.map((step) => [step, () => statement])));
  return { transaction: (work: (tx: unknown) => unknown) => work(statement) } as unknown as Database;
}

async function prepare(
  t: Test,
  isSealed: boolean,
  around: (storage: Storage) => Storage = (storage) => storage,
  byContent = false,
) {
  const seal = sealWith(testKeyring(randomBytes(32)));
  const { storage, root } = await diskSample(t, await temporaryFolder(t), (bare, staging) => {
    const objects = withoutTimes(bare, byContent);
    return isSealed ? seal(objects, staging) : objects;
  });
  await storage.write(key, good);
  const seen = around(storage);
  const checksums = createChecksumCache(seen);
  const made = { count: 0 };
  const decoder = { decode: () => Promise.reject(new Error('nothing is decoded')) };
  const reconcile = () => Promise.reject(new Error('nothing is doubted'));
  const parts = { db: databaseOf(row), storage, decoder, checksums, orphanedBlobs: { reconcile } };
  const { ready } = createRenditionsOnDemand(parts, {
    async rebuild() {
      made.count += 1;
      return renewRenditions(parts, row, {}, [[key, good]]);
    },
  });
  const bytesOf = createRenditionBytes({ storage: seen, checksums, ready });
  const path = join(root, key);
  return {
    storage,
    path,
    made,
    async kept(): Promise<Buffer | undefined> {
      const source = await bytesOf(row, 'thumbnail', () => true);
      return 'bytes' in source ? source.bytes : undefined;
    },
    async streamed(): Promise<StoredBytes> {
      const source = await bytesOf(row, 'thumbnail', () => false);
      if ('bytes' in source) throw new Error('read whole');
      return source;
    },
  };
}

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at).finally(() => file.close());
}

/** Reads like a response. @returns the bytes that may have been sent, and whether they are complete */
async function readAll({ size, open }: StoredBytes): Promise<{ sent: Buffer; isWhole: boolean }> {
  const sent: Buffer[] = [];
  const reader = await open().catch(() => undefined);
  try {
    for (let at = 0; at < size; at += 65_536) {
      const chunk = Buffer.alloc(Math.min(65_536, size - at));
      if (!reader) return { sent: Buffer.alloc(0), isWhole: false };
      await reader.read(chunk, at);
      sent.push(chunk);
    }
    return { sent: Buffer.concat(sent), isWhole: true };
  } catch {
    return { sent: Buffer.concat(sent), isWhole: false };
  } finally {
    await reader?.close();
  }
}

const regions: Record<string, number> = {
  'the first byte': 0,
  'the byte of the segment size': 9,
  'the byte of the key id': 25,
  'a byte of the first segment': 300,
  'a byte in the middle': 200_000,
  'the last byte': -1,
};

for (const isSealed of [false, true]) {
  const word = isSealed ? 'sealed' : 'plain';
  for (const [region, place] of Object.entries(regions)) {
    t.test(`a ${word} rendition is rebuilt and never served damaged after bit rot in ${region}`, async (t) => {
      const { kept, streamed, path, made } = await prepare(t, isSealed);
      t.ok((await kept())?.equals(good), 'its checksum is cached');
      const rot = async () => flip(path, place < 0 ? (await readFile(path)).length + place : place);
      await rot();
      t.ok((await kept())?.equals(good));
      t.equal(made.count, 1);

      await rot();
      const first = await readAll(await streamed());
      // A plain rendition fails before its last bytes, a sealed one before its first wrong byte.
      t.equal(first.isWhole, first.sent.equals(good));
      t.ok(!isSealed || first.sent.equals(good.subarray(0, first.sent.length)));
      const second = await readAll(await streamed());
      t.ok(second.sent.equals(good), 'the next request gets the rebuilt bytes');
      t.equal(made.count, 2);
    });
  }
}

t.test('a rendition not in memory is opened and read once', async (t) => {
  const calls: string[] = [];
  const noting =
    <A extends unknown[], R>(name: string, call: (...given: A) => R) =>
    (...given: A) => {
      calls.push(name);
      return call(...given);
    };
  const { kept } = await prepare(t, false, (storage) => ({
    ...storage,
    stat: noting('stat', storage.stat),
    read: noting('read', storage.read),
    async open(...given) {
      const file = await noting('open', storage.open)(...given);
      return file && { ...file, read: noting('read', file.read) };
    },
  }));
  t.ok((await kept())?.equals(good));
  t.same(calls, ['open', 'read']);
});

t.test('a rendition rebuilt in a bucket is served at once although its version is unchanged', async (t) => {
  const { kept, streamed, path, made } = await prepare(t, false, undefined, true);
  for (const isKnown of [true, false]) {
    if (isKnown) await kept();
    await flip(path, 200_000);
    const read = async () => (isKnown ? await kept() : (await readAll(await streamed())).sent);
    await read().catch(() => undefined);
    t.ok((await read())?.equals(good));
  }
  t.equal(made.count, 2);
});

t.test('a range has the right bytes after another reader found a damaged sealed header', async (t) => {
  const { storage, kept, streamed, path } = await prepare(t, true);
  await kept();
  await flip(path, 0);
  await storage.open(key).then((file) => file?.close());
  const reader = await (await streamed()).open({ start: 0, end: 9 });
  const part = Buffer.alloc(10);
  await reader?.read(part, 0);
  await reader?.close();
  t.ok(part.equals(good.subarray(0, 10)));
});

/** Returns a wrong last byte for the first `times` opened files. */
const lyingFor = (times: number) => (storage: Storage) => {
  let left = times;
  const lie = async (at: string) => {
    const file = await storage.open(at);
    left -= 1;
    if (!file || left < 0) return file;
    return {
      ...file,
      async read(into: Uint8Array, from: number) {
        const count = await file.read(into, from);
        if (from + count === file.size) into[count - 1] = (into[count - 1] ?? 0) ^ 1;
        return count;
      },
    };
  };
  return { ...storage, open: lie };
};

t.test('wrong bytes that the storage returns once are read again', async (t) => {
  const { kept, made } = await prepare(t, false, lyingFor(1));
  t.ok((await kept())?.equals(good));
  t.equal(made.count, 0, 'the stored rendition is intact');
});

t.test('wrong bytes that the storage returns repeatedly are refused', async (t) => {
  const { kept, streamed } = await prepare(t, false, lyingFor(Number.POSITIVE_INFINITY));
  await t.rejects(kept(), { code: 'RENDITION_UNAVAILABLE' });
  const { sent, isWhole } = await readAll(await streamed());
  t.notOk(isWhole);
  t.ok(sent.equals(good.subarray(0, sent.length)));
});

t.test('a file replaced after verification is not sent', async (t) => {
  const { streamed } = await prepare(t, false, (storage) => ({
    ...storage,
    open: async (at) => {
      const file = await storage.open(at);
      return file && { ...file, version: 'another' };
    },
  }));
  const source = await streamed();
  for (const range of [undefined, { start: 0, end: 9 }]) {
    await t.rejects(source.open(range), { code: 'RENDITION_UNAVAILABLE' });
  }
});
