import { LRUCache } from 'lru-cache';
import type { ObjectStore, Stored } from '../object-store.ts';
import { DamagedBytes, NotSealed } from './damage.ts';
import { isSealed } from './header.ts';
import { plainSizeOf } from './open-sealed.ts';

/** The ownership marker, which must be readable before a key is known. */
export const MARK = 'installation';

/** Cached sizes, at some 300 bytes each. */
const maxSizes = 10_000;

type PlainSize = { size: number; isPlain: boolean };

/** Makes the size part of the version: without their magic, the same bytes count as another plaintext. */
export const readAs = (version: string, size: number): Stored => ({ size, version: `${version} as ${size}` });

export type PlainSizes = ReturnType<typeof createPlainSizes>;

/** The sizes of plaintexts. Reads each version's beginning once. */
export function createPlainSizes(objects: Pick<ObjectStore, 'stat' | 'open'>) {
  const sizes = new LRUCache<string, PlainSize & { version: string }>({ max: maxSizes });

  function remember(key: string, { size, version }: Stored, plain: PlainSize): void {
    sizes.set(key, { version: `${size} ${version}`, size: plain.size, isPlain: plain.isPlain });
  }

  async function find(key: string): Promise<(Stored & PlainSize) | undefined> {
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
      const beginning = first.subarray(0, await file.read(first, 0));
      const plain = { size: plainSizeOf(beginning, file.size) ?? file.size, isPlain: !isSealed(beginning) };
      remember(key, file, plain);
      return { ...readAs(file.version, plain.size), isPlain: plain.isPlain };
    } finally {
      await file.close();
    }
  }

  return {
    remember,

    /** A storage may return wrong bytes once, so the next caller checks again. */
    forget: (key: string): void => void sizes.delete(key),

    /** Returns undefined if there is no object. @param sealed whether plaintext is damage */
    async stat(key: string, sealed?: boolean): Promise<Stored | undefined> {
      const found = await find(key);
      if (!found) return undefined;
      const { isPlain, ...stored } = found;
      if (sealed && isPlain) {
        sizes.delete(key);
        throw new DamagedBytes(key, new NotSealed());
      }
      return stored;
    },
  };
}
