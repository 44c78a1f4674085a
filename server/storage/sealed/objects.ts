import { open as openFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { guarded } from '../failures.ts';
import type { ByteRange, ObjectStore, OpenFile, Stored } from '../object-store.ts';
import type { Staging } from '../staging.ts';
import { DamagedBytes, NotSealed } from './damage.ts';
import { createHeader, isSealed } from './header.ts';
import type { Keyring, MasterKey } from './keyring.ts';
import { BEGINNING, type Opened, opened, openSealed, plainSizeOf, SEGMENT_SIZE, streamKeyOf } from './open-sealed.ts';
import { piecesOf, sealFile } from './seal-file.ts';
import { createSeals } from './sealing.ts';
import { sealBytes } from './stream.ts';
import { BrokenSeal } from './stream-format.ts';

/** The ownership marker, which must be readable before a key is known. */
const MARK = 'installation';

/** Cached sizes, at some 300 bytes each. */
const maxSizes = 10_000;

/** Makes the size part of the version: without their magic, the same bytes count as another plaintext. */
const readAs = (version: string, size: number): Stored => ({ size, version: `${version} as ${size}` });

const chunkSize = 2 ** 18;
export const sealWith = (keyring: Keyring, tell?: Tell) => (objects: ObjectStore, staging: Staging) =>
  sealStore(objects, keyring, staging, tell);

/** Registers the present key (key-registry.ts); called before each object is sealed. */
export type Tell = () => Promise<void>;

export function sealStore(
  objects: ObjectStore,
  keyring: Keyring,
  staging: Staging,
  tell: Tell = async () => {},
): ObjectStore {
  const sizes = new LRUCache<string, { version: string; size: number; isPlain: boolean }>({ max: maxSizes });

  async function commit(file: Parameters<ObjectStore['commit']>[0], key: string, present: MasterKey): Promise<void> {
    const sealed = await sealFile(piecesOf(file.path), key, present, staging);
    try {
      await objects.commit(sealed, key);
    } finally {
      if (staging.holds(sealed.path)) await staging.drop(sealed.path);
    }
  }

  /** Syncs the staged file first: staging does not, because sealed objects are copies. */
  async function commitPlain(file: Parameters<ObjectStore['commit']>[0], key: string): Promise<void> {
    const staged = await openFile(file.path, 'r+');
    await staged.sync().finally(() => staged.close());
    await objects.commit(file, key);
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    if (!keyring.present || key === MARK) return objects.write(key, bytes);
    await tell();
    const { head, dataKey } = createHeader(key, keyring.present, SEGMENT_SIZE);
    return objects.write(key, Buffer.concat([head, sealBytes(streamKeyOf(key, dataKey, SEGMENT_SIZE), bytes)]));
  }

  /** Fetches the beginning of a part first, which shows the segments that hold it. */
  async function open(key: string, part?: ByteRange, sealed?: boolean): Promise<Opened | undefined> {
    const file = await objects.open(key, part && { start: 0, end: BEGINNING - 1 });
    if (!file || key === MARK) return file && { ...file, isPlain: true };
    const { size, version } = file;
    const plain = await openSealed(file, key, keyring, sealed);
    const { isPlain } = plain;
    // A storage may return wrong bytes once, so the next caller checks again.
    if (isPlain && sealed) sizes.delete(key);
    else sizes.set(key, { version: `${size} ${version}`, size: plain.size, isPlain });
    return { ...plain, ...readAs(version, plain.size) };
  }

  async function* partOf(file: OpenFile, key: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    try {
      const last = Math.min(end, file.size - 1);
      for (let at = start; at <= last; ) {
        const into = Buffer.allocUnsafe(Math.min(chunkSize, last + 1 - at));
        if ((await file.read(into, at)) < into.length) {
          throw new DamagedBytes(key, new BrokenSeal('a part of it is not what was sealed'));
        }
        yield into;
        at += into.length;
      }
    } finally {
      await file.close();
    }
  }

  async function read(key: string, range?: ByteRange, sealed?: boolean): Promise<Readable | undefined> {
    if (key === MARK) return objects.read(key, range);
    if (range) {
      const file = await open(key, range, sealed);
      if (file && sealed && file.isPlain) {
        await file.close();
        throw new DamagedBytes(key, new NotSealed());
      }
      return file && Readable.from(partOf(file, key, range), { objectMode: false });
    }
    const stored = await objects.read(key);
    return stored && streamOf(stored, opened(stored, key, keyring, sealed));
  }

  /** The stored object, and whether it is plain; reads each version's beginning once. */
  async function lookAt(key: string): Promise<(Stored & { isPlain: boolean }) | undefined> {
    const stored = await objects.stat(key);
    if (!stored || key === MARK) return stored && { ...stored, isPlain: true };
    const known = sizes.get(key);
    if (known?.version === `${stored.size} ${stored.version}`) {
      return { ...readAs(stored.version, known.size), isPlain: known.isPlain };
    }
    const first = Buffer.alloc(16);
    const file = await objects.open(key, { start: 0, end: first.length - 1 });
    if (!file) return undefined;
    try {
      const { version, size } = file;
      const beginning = first.subarray(0, await file.read(first, 0));
      const plain = { size: plainSizeOf(beginning, size) ?? size, isPlain: !isSealed(beginning) };
      sizes.set(key, { version: `${size} ${version}`, ...plain });
      return { ...readAs(version, plain.size), isPlain: plain.isPlain };
    } finally {
      await file.close();
    }
  }

  async function stat(key: string, sealed?: boolean): Promise<Stored | undefined> {
    const found = await lookAt(key);
    if (!found) return undefined;
    const { isPlain, ...stored } = found;
    if (sealed && isPlain) {
      sizes.delete(key);
      throw new DamagedBytes(key, new NotSealed());
    }
    return stored;
  }

  return {
    async commit(file, key) {
      const { present } = keyring;
      if (present) await tell();
      await guarded(() => (present ? commit(file, key, present) : commitPlain(file, key)));
    },
    write,
    read,
    open,
    stat,
    remove: objects.remove,
    async *list(collection, folder) {
      for await (const listed of objects.list(collection, folder)) {
        const stored = await stat(listed.key);
        if (stored) yield { ...listed, size: stored.size };
      }
    },
    isHealthy: objects.isHealthy,
    sealing: createSeals(objects, keyring, staging, tell),
    close: objects.close,
  };
}

/** Closes the stored stream together with the plain one. */
function streamOf(stored: Readable, plain: AsyncGenerator<Buffer>): Readable {
  const stream = Readable.from(plain, { objectMode: false });
  stream.once('close', () => stored.destroy());
  return stream;
}
