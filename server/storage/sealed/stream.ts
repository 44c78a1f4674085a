import {
  BrokenSeal,
  createSegmentSealer,
  layoutOf,
  openingKey,
  openSegment,
  type SegmentKey,
  type StreamParameters,
  TAG_SIZE,
} from './stream-format.ts';

export type StreamKey = { parameters: StreamParameters; key: Uint8Array; associatedData: Uint8Array };

/** Cuts a stream into segments. A segment counts as the last only at the end of the stream. */
function createCutter(segmentSize: number, sizeOf: (segment: number) => number) {
  let segment = 0;
  let filled = 0;
  let held = Buffer.allocUnsafe(segmentSize);
  return {
    /** Passes on each segment that is not the last one. Its buffer is reused. */
    add(bytes: Uint8Array, use: (segment: number, bytes: Buffer) => void): void {
      for (let taken = 0; taken < bytes.length; ) {
        if (filled === sizeOf(segment)) {
          use(segment, held.subarray(0, filled));
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

type Sealing = {
  /** @returns the sealed bytes available so far */
  add(plain: Uint8Array): Buffer[];
  end(): Buffer[];
};

export function createSealing(sealing: StreamKey): Sealing {
  const sealer = createSegmentSealer(sealing);
  const cutter = createCutter(sealing.parameters.segmentSize, layoutOf(sealing.parameters).capacityOf);
  let unsent: Buffer[] = [sealer.header];
  const withHeader = (parts: Buffer[]) => {
    const all = [...unsent, ...parts];
    unsent = [];
    return all;
  };
  return {
    add(plain) {
      const parts: Buffer[] = [];
      cutter.add(plain, (segment, bytes) => parts.push(...sealer.seal(segment, false, bytes)));
      return withHeader(parts);
    },
    end() {
      const [segment, bytes] = cutter.last();
      return withHeader(sealer.seal(segment, true, bytes));
    },
  };
}

/** Opens a sealed stream in pieces. Throws BrokenSeal before the first unverified byte. */
type Opening = {
  /** @returns the plaintext available so far */
  add(sealed: Uint8Array): Buffer[];
  end(): Buffer[];
};

export function createOpening(opening: StreamKey): Opening {
  const { headerSize, capacityOf } = layoutOf(opening.parameters);
  // The header is cut off like a segment before the first one.
  const cutter = createCutter(opening.parameters.segmentSize, (index) =>
    index === 0 ? headerSize : capacityOf(index - 1) + TAG_SIZE,
  );
  let key: SegmentKey | undefined;
  function take(index: number, bytes: Buffer, isLast: boolean): Buffer[] {
    if (key) return [openSegment(key, index - 1, isLast, bytes)];
    key = openingKey(opening, bytes);
    return [];
  }
  return {
    add(sealed) {
      const plain: Buffer[] = [];
      cutter.add(sealed, (index, bytes) => plain.push(...take(index, bytes, false)));
      return plain;
    },
    end() {
      const [index, bytes] = cutter.last();
      if (index === 0) throw new BrokenSeal('the sealed stream is cut off in its header');
      return take(index, bytes, true);
    },
  };
}

export function sealBytes(key: StreamKey, plain: Uint8Array): Buffer {
  const sealing = createSealing(key);
  return Buffer.concat([...sealing.add(plain), ...sealing.end()]);
}
