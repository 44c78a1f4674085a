/** What a storage gives that says of other bytes that they are still the same. */
import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { createChecksumCache } from '../images/checksum-cache.ts';
import { thumbnailKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import { createRenditionsOnDemand } from '../renditions/on-demand.ts';
import { renewRenditions } from '../renditions/rebuild-renditions.ts';
import type { ByteSource } from '../storage/byte-source.ts';
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
 * Tells of a file what it told first, until it is written by the server itself: what rots by itself sets no times.
 * @param byContent as a bucket does, whose versions are those of the bytes: the same ones written again are the same one
 */
function withoutTimes(objects: ObjectStore, byContent = false): ObjectStore {
  const told = new Map<string, string>();
  const asBefore = <T extends Stored>(at: string, stored: T | undefined): T | undefined => {
    if (!stored) return undefined;
    const version = told.get(at) ?? stored.version;
    told.set(at, version);
    return { ...stored, version };
  };
  return {
    ...objects,
    stat: async (at) => asBefore(at, await objects.stat(at)),
    open: async (at) => asBefore(at, await objects.open(at)),
    async write(at, bytes) {
      await objects.write(at, bytes);
      if (!byContent) told.delete(at);
    },
  };
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
  const digests = createChecksumCache(storage);
  const made = { count: 0 };
  const decoder = { decode: () => Promise.reject(new Error('nothing is decoded')) };
  const reconcile = () => Promise.reject(new Error('nothing is doubted'));
  const { ready } = createRenditionsOnDemand({
    storage,
    digests,
    adopt: reconcile,
    async rebuild() {
      made.count += 1;
      const renewContent = async (_row: unknown, _findings: unknown, write: () => Promise<void>) => {
        await write();
        return row;
      };
      return renewRenditions({ storage, decoder, digests, reconcile, renewContent }, row, {}, [[key, good]]);
    },
  });
  const bytesOf = createRenditionBytes({ storage: around(storage), digests, ready });
  const path = join(root, key);
  return {
    storage,
    path,
    made,
    kept: () => bytesOf(row, 'thumbnail', () => true),
    streamed: () => bytesOf(row, 'thumbnail', () => false),
  };
}

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at).finally(() => file.close());
}

/** As an answer reads it. @returns what may have been sent when it ended, and whether it came to its end */
async function readAll({ size, open }: ByteSource): Promise<{ sent: Buffer; isWhole: boolean }> {
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
  'the byte that says how large segments are': 9,
  'the byte that says whose key it is': 25,
  'a byte of the first segment': 300,
  'a byte in the middle': 200_000,
  'the last byte': -1,
};

for (const isSealed of [false, true]) {
  const word = isSealed ? 'sealed' : 'plain';
  for (const [region, place] of Object.entries(regions)) {
    t.test(`${region} of a ${word} rendition rots unseen: it is made anew, and nothing else goes out`, async (t) => {
      const { kept, streamed, path, made } = await prepare(t, isSealed);
      t.ok((await kept()).bytes?.equals(good), 'its digest is known');
      const rot = async () => flip(path, place < 0 ? (await readFile(path)).length + place : place);
      await rot();
      t.ok((await kept()).bytes?.equals(good));
      t.equal(made.count, 1);

      await rot();
      const first = await readAll(await streamed());
      // What is plain is known to be wrong at its end, which is kept back; what is sealed before its first wrong byte.
      t.equal(first.isWhole, first.sent.equals(good));
      t.ok(!isSealed || first.sent.equals(good.subarray(0, first.sent.length)));
      const second = await readAll(await streamed());
      t.ok(second.sent.equals(good), 'whoever asks next has it');
      t.equal(made.count, 2);
    });
  }
}

t.test('one made anew in a bucket is good at once, though it is the version that the rotten one was', async (t) => {
  const { kept, streamed, path, made } = await prepare(t, false, undefined, true);
  for (const isKnown of [true, false]) {
    if (isKnown) await kept();
    await flip(path, 200_000);
    const read = async () => (isKnown ? (await kept()).bytes : (await readAll(await streamed())).sent);
    await read().catch(() => undefined);
    t.ok((await read())?.equals(good));
  }
  t.equal(made.count, 2);
});

t.test('a part is of the picture, also where somebody else has found the mark of a sealed one rotten', async (t) => {
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

/** Opens other bytes than it was asked for, and says nothing of it. */
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

t.test('wrong bytes that the storage gives once are asked for again', async (t) => {
  const { kept, made } = await prepare(t, false, lyingFor(1));
  t.ok((await kept()).bytes?.equals(good));
  t.equal(made.count, 0, 'what stands there is good');
});

t.test('wrong bytes that the storage gives again and again are refused', async (t) => {
  const { kept, streamed } = await prepare(t, false, lyingFor(Number.POSITIVE_INFINITY));
  await t.rejects(kept(), { code: 'RENDITION_UNAVAILABLE' });
  const { sent, isWhole } = await readAll(await streamed());
  t.notOk(isWhole);
  t.ok(sent.equals(good.subarray(0, sent.length)));
});

t.test('another file than the one that was looked at is not sent in its place', async (t) => {
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
