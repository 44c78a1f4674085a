import { Readable } from 'node:stream';
import type { ByteRange, ObjectStore, OpenFile } from '../object-store.ts';
import { DamagedBytes, NotSealed } from './damage.ts';
import type { Keyring } from './keyring.ts';
import { BEGINNING, type Opened, opened, openSealed } from './open-sealed.ts';
import { MARK, type PlainSizes, readAs } from './plain-sizes.ts';
import { BrokenSeal } from './stream-format.ts';

/** Bytes per read of a part. */
const chunkSize = 2 ** 18;

/** Reads plaintext from sealed objects, and from plain ones unless the caller knows that they were sealed. */
export function createObjectReader(objects: ObjectStore, keyring: Keyring, sizes: PlainSizes) {
  /** Fetches the beginning of a part first, which shows the segments that hold it. */
  async function open(key: string, part?: ByteRange, sealed?: boolean): Promise<Opened | undefined> {
    const file = await objects.open(key, part && { start: 0, end: BEGINNING - 1 });
    if (!file || key === MARK) return file && { ...file, isPlain: true };
    const plain = await openSealed(file, key, keyring, sealed);
    if (plain.isPlain && sealed) sizes.forget(key);
    else sizes.remember(key, file, plain);
    return { ...plain, ...readAs(file.version, plain.size) };
  }

  async function* partOf(file: OpenFile, key: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    try {
      const last = Math.min(end, file.size - 1);
      for (let offset = start; offset <= last; ) {
        const into = Buffer.allocUnsafe(Math.min(chunkSize, last + 1 - offset));
        if ((await file.read(into, offset)) < into.length) {
          throw new DamagedBytes(key, new BrokenSeal('a part of it is not what was sealed'));
        }
        yield into;
        offset += into.length;
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

  return { open, read };
}

function streamOf(stored: Readable, plain: AsyncGenerator<Buffer>): Readable {
  const stream = Readable.from(plain, { objectMode: false });
  stream.once('close', () => stored.destroy());
  return stream;
}
