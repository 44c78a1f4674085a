/** Large buffers are much faster but limited: a client that finds none free, or reads slowly, gets a small one. */

type Sizes = {
  /** Bytes of a large buffer. */
  large: number;
  /** Maximum number of large buffers. */
  max: number;
  /** Bytes of a small buffer; every reader may have one. */
  small: number;
};

/** 16 MB in total, without the small buffers. */
export const defaultBuffers: Sizes = { large: 2 ** 18, max: 64, small: 2 ** 16 };

export type BufferPool = ReturnType<typeof createBufferPool>;

export function createBufferPool({ large, max, small }: Sizes = defaultBuffers) {
  const free: Buffer[] = [];
  let made = 0;
  let leased = 0;
  const inUse = () => made - free.length + leased;

  function pooled(): Buffer | undefined {
    if (inUse() >= max) return undefined;
    const chunk = free.pop();
    if (chunk) return chunk;
    made += 1;
    return Buffer.allocUnsafeSlow(large);
  }

  return {
    small,

    /** @returns the large buffer released last, which is still in the CPU cache; undefined if none is free */
    acquire: pooled,

    /** Counts a leased buffer of another owner. @returns whether the limit allows it */
    acquireLease(): boolean {
      if (inUse() >= max) return false;
      leased += 1;
      return true;
    },

    releaseLease(): void {
      leased -= 1;
    },

    release(chunk: Buffer): void {
      free.push(chunk);
    },

    /** Large and leased buffers in use. */
    inUse,
  };
}
