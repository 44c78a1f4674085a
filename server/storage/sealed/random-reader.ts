import type { LeasedBuffer } from '../object-store.ts';
import { createBufferPool, releaseMemory } from './buffer-memory.ts';
import type { StreamKey } from './stream.ts';
import { BrokenSeal, type Layout, layoutOf, openingKey, openSegment, type SegmentKey } from './stream-format.ts';

type SealedSource = {
  /** Fills the buffer with sealed bytes from `at` on. @returns the number of bytes: less only at the end */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Bytes of the sealed stream, including its header. */
  size: number;
};

export type RandomReader = {
  readonly size: number;
  /** One read at a time. @returns the number of bytes: less only at the end @throws BrokenSeal */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Leases the plaintext from `at` to the end of its segment; empty at the end. @throws BrokenSeal */
  lease(at: number): Promise<LeasedBuffer>;
  /** Must not be called during a read. */
  close(): void;
};

/** Sealed bytes per read. */
const readAhead = 2 ** 18;

const nothing = Buffer.alloc(0);

/** 16 MB in total. */
const pool = createBufferPool(readAhead, 64);

/** @throws BrokenSeal if the header or the size is invalid */
export async function openRandomly(opening: StreamKey, source: SealedSource): Promise<RandomReader> {
  const layout = layoutOf(opening.parameters);
  const size = layout.plainSize(source.size);
  const header = Buffer.alloc(layout.headerSize);
  if (size === undefined || (await source.read(header, 0)) < header.length) {
    throw new BrokenSeal('the sealed stream is cut off');
  }
  const segments = createSegments(openingKey(opening, header), layout, source, size);
  return createReader(segments, layout, size, Math.max(1, Math.floor(readAhead / opening.parameters.segmentSize)));
}

type Segments = ReturnType<typeof createSegments>;

/** Reads and opens segments. The caller owns the memory of each plaintext. */
function createSegments(key: SegmentKey, layout: Layout, source: SealedSource, size: number) {
  const last = size === 0 ? 0 : layout.segmentAt(size - 1);
  const startOf = (segment: number) => layout.startOf(segment).sealed;
  const endOf = (segment: number) => (segment === last ? source.size : startOf(segment + 1));

  return {
    async open(from: number, to: number): Promise<Buffer[]> {
      const offset = startOf(from);
      const sealed = pool.acquire(endOf(to) - offset);
      try {
        if ((await source.read(sealed, offset)) < sealed.length) throw new BrokenSeal('the sealed stream is cut off');
        const plain: Buffer[] = [];
        for (let segment = from; segment <= to; segment += 1) {
          const bytes = sealed.subarray(startOf(segment) - offset, endOf(segment) - offset);
          plain.push(openSegment(key, segment, segment === last, bytes));
        }
        return plain;
      } finally {
        pool.release(sealed);
      }
    },
  };
}

/** @param atOnce segments per read */
function createReader(segments: Segments, layout: Layout, size: number, atOnce: number): RandomReader {
  /** The last opened segment, where a sequential reader continues. */
  let last: { segment: number; plain: Buffer } | undefined;

  function keep(segment: number, plain: Buffer): void {
    if (last) releaseMemory(last.plain);
    last = { segment, plain };
  }

  return {
    size,
    async lease(at) {
      if (at >= size) return { bytes: nothing, release: () => undefined };
      const segment = layout.segmentAt(at);
      const [plain = nothing] = await segments.open(segment, segment);
      return { bytes: plain.subarray(at - layout.startOf(segment).plain), release: () => releaseMemory(plain) };
    },
    async read(into, at) {
      const wanted = Math.min(into.length, Math.max(0, size - at));
      // An empty plaintext still needs its tag verified.
      if (wanted === 0 && size > 0) return 0;
      const put = (segment: number, plain: Buffer) => {
        const offset = layout.startOf(segment).plain - at;
        const from = Math.max(0, -offset);
        into.set(plain.subarray(from, Math.min(plain.length, wanted - offset)), offset + from);
      };
      const to = wanted === 0 ? 0 : layout.segmentAt(at + wanted - 1);
      let from = wanted === 0 ? 0 : layout.segmentAt(at);
      if (last?.segment === from) {
        put(from, last.plain);
        from += 1;
      }
      for (; from <= to; from += atOnce) {
        const opened = await segments.open(from, Math.min(to, from + atOnce - 1));
        for (const [index, plain] of opened.entries()) {
          keep(from + index, plain);
          put(from + index, plain);
        }
      }
      return wanted;
    },
    close() {
      if (last) releaseMemory(last.plain);
      last = undefined;
    },
  };
}
