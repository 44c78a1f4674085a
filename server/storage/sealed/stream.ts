/** Whole streams in Tink's format, in as much memory as a segment or two take. */
import {
  BrokenSeal,
  createSegmentOpener,
  createSegmentSealer,
  type Layout,
  layoutOf,
  type SegmentOpener,
  type StreamParameters,
  TAG_SIZE,
} from './stream-format.ts';

export type StreamKey = { parameters: StreamParameters; key: Uint8Array; associatedData: Uint8Array };

/** Cuts what comes into segments: which is the last is known only when there is nothing behind it. */
function createCutter(segmentSize: number, sizeOf: (segment: number) => number) {
  let segment = 0;
  let filled = 0;
  let held = Buffer.allocUnsafe(segmentSize);
  return {
    /** Tells each segment that is known not to be the last. Its buffer is used again. */
    add(bytes: Uint8Array, tell: (segment: number, bytes: Buffer) => void): void {
      for (let taken = 0; taken < bytes.length; ) {
        if (filled === sizeOf(segment)) {
          tell(segment, held.subarray(0, filled));
          segment += 1;
          filled = 0;
        }
        const part = bytes.subarray(taken, taken + sizeOf(segment) - filled);
        held.set(part, filled);
        filled += part.length;
        taken += part.length;
      }
    },
    last(): [segment: number, bytes: Buffer] {
      const rest = held.subarray(0, filled);
      held = Buffer.alloc(0);
      return [segment, rest];
    },
  };
}

/** Takes plain bytes in pieces. */
export type Sealing = {
  /** @returns what of the sealed stream is known by now */
  add(plain: Uint8Array): Buffer[];
  end(): Buffer[];
};

export function createSealing(sealing: StreamKey): Sealing {
  const sealer = createSegmentSealer(sealing);
  const cutter = createCutter(sealing.parameters.segmentSize, layoutOf(sealing.parameters).capacityOf);
  let head: Buffer[] = [sealer.header];
  const withHead = (parts: Buffer[]) => {
    const all = [...head, ...parts];
    head = [];
    return all;
  };
  return {
    add(plain) {
      const parts: Buffer[] = [];
      cutter.add(plain, (segment, bytes) => parts.push(...sealer.seal(segment, false, bytes)));
      return withHead(parts);
    },
    end() {
      const [segment, bytes] = cutter.last();
      return withHead(sealer.seal(segment, true, bytes));
    },
  };
}

/** Takes the sealed stream in pieces. Throws BrokenSeal before the first byte that is not known to be right. */
export type Opening = {
  /** @returns what of the plaintext is known by now */
  add(sealed: Uint8Array): Buffer[];
  end(): Buffer[];
};

export function createOpening(opening: StreamKey): Opening {
  const { headerSize, capacityOf } = layoutOf(opening.parameters);
  // The header is cut off as if it were a segment before the first.
  const cutter = createCutter(opening.parameters.segmentSize, (place) =>
    place === 0 ? headerSize : capacityOf(place - 1) + TAG_SIZE,
  );
  let opener: SegmentOpener | undefined;
  function take(place: number, bytes: Buffer, isLast: boolean): Buffer[] {
    if (opener) return [opener.open(place - 1, isLast, bytes)];
    opener = createSegmentOpener(opening, bytes);
    return [];
  }
  return {
    add(sealed) {
      const plain: Buffer[] = [];
      cutter.add(sealed, (place, bytes) => plain.push(...take(place, bytes, false)));
      return plain;
    },
    end() {
      const [place, bytes] = cutter.last();
      if (place === 0) throw new BrokenSeal('the sealed stream is cut off in its header');
      return take(place, bytes, true);
    },
  };
}

/** As `createSealing`, for bytes that are in memory. */
export function sealBytes(key: StreamKey, plain: Uint8Array): Buffer {
  const sealing = createSealing(key);
  return Buffer.concat([...sealing.add(plain), ...sealing.end()]);
}

export type SealedSource = {
  /** Fills the buffer with the sealed stream's bytes from `at` on. @returns how many: fewer only where it ends */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Bytes of the sealed stream, its header included. */
  size: number;
};

export type RandomReader = {
  /** Bytes of the plaintext. */
  readonly size: number;
  /**
   * Fills the buffer with the plaintext from `at` on, and reads only the segments that hold it.
   * @returns how many bytes: fewer only where it ends
   * @throws BrokenSeal
   */
  read(into: Uint8Array, at: number): Promise<number>;
};

/** Bytes of sealed segments that are asked for at once. */
const readAhead = 2 ** 18;

/** Used again and again: memory that is new costs more than the opening of what is read into it. 16 MB in all. */
const spare: Buffer[] = [];
const most = 64;
let made = 0;

function takeSpare(size: number): Buffer | undefined {
  if (size > readAhead) return undefined;
  const free = spare.pop();
  if (free || made === most) return free;
  made += 1;
  return Buffer.allocUnsafeSlow(readAhead);
}

async function withBuffer<T>(size: number, work: (buffer: Buffer) => Promise<T>): Promise<T> {
  const shared = takeSpare(size);
  try {
    return await work(shared?.subarray(0, size) ?? Buffer.allocUnsafeSlow(size));
  } finally {
    if (shared) spare.push(shared);
  }
}

/** @throws BrokenSeal where the header is none, or no sealed stream has this size */
export async function openRandomly(opening: StreamKey, source: SealedSource): Promise<RandomReader> {
  const layout = layoutOf(opening.parameters);
  const size = layout.plainSize(source.size);
  const header = Buffer.alloc(layout.headerSize);
  if (size === undefined || (await source.read(header, 0)) < header.length) {
    throw new BrokenSeal('the sealed stream is cut off');
  }
  return readerOf(createSegmentOpener(opening, header), layout, source, size, opening.parameters.segmentSize);
}

function readerOf(
  opener: SegmentOpener,
  layout: Layout,
  source: SealedSource,
  size: number,
  segmentSize: number,
): RandomReader {
  const lastSegment = size === 0 ? 0 : layout.segmentAt(size - 1);
  const atOnce = Math.max(1, Math.floor(readAhead / segmentSize));
  /** The segment that was opened last: who reads on begins in it. */
  let last: { segment: number; plain: Buffer } | undefined;
  const sealedEnd = (segment: number) => (segment === lastSegment ? source.size : layout.startOf(segment + 1).sealed);

  /** Opens segments one after another, which are read in one call. */
  async function open(from: number, to: number, tell: (segment: number, plain: Buffer) => void): Promise<void> {
    const offset = layout.startOf(from).sealed;
    await withBuffer(sealedEnd(to) - offset, async (sealed) => {
      if ((await source.read(sealed, offset)) < sealed.length) throw new BrokenSeal('the sealed stream is cut off');
      for (let segment = from; segment <= to; segment += 1) {
        const bytes = sealed.subarray(layout.startOf(segment).sealed - offset, sealedEnd(segment) - offset);
        last = { segment, plain: opener.open(segment, segment === lastSegment, bytes) };
        tell(segment, last.plain);
      }
    });
  }

  return {
    size,
    async read(into, at) {
      const wanted = Math.min(into.length, Math.max(0, size - at));
      // Of nothing too the tag is asked for: by it alone its end is known.
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
      for (; from <= to; from += atOnce) await open(from, Math.min(to, from + atOnce - 1), put);
      return wanted;
    },
  };
}
