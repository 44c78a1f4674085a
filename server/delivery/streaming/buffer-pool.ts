/**
 * Memory for bytes on their way from the disk to their readers. Large chunks are quicker by far, but however many read at
 * once, there is only a fixed number of them: who finds none left, or is slow to take one, goes on with a small one.
 */

type Sizes = {
  /** Bytes of a large chunk, and how many of them there may be. */
  large: number;
  most: number;
  /** Bytes of a small one: every reader may have one. */
  small: number;
};

/** 16 MB in all, beside the small ones. */
export const defaultBuffers: Sizes = { large: 2 ** 18, most: 64, small: 2 ** 16 };

export type BufferPool = ReturnType<typeof createBufferPool>;

export function createBufferPool({ large, most, small }: Sizes = defaultBuffers) {
  const free: Buffer[] = [];
  let made = 0;
  let lent = 0;
  const out = () => made - free.length + lent;

  function pooled(): Buffer | undefined {
    if (out() >= most) return undefined;
    const chunk = free.pop();
    if (chunk) return chunk;
    made += 1;
    return Buffer.allocUnsafeSlow(large);
  }

  return {
    small,

    /** @returns a large chunk, the one given back last, which the processor still has at hand; undefined where none is left */
    take: pooled,

    /** The same for memory of somebody else's. @returns whether there is room for it */
    borrow(): boolean {
      if (out() >= most) return false;
      lent += 1;
      return true;
    },

    /** What was borrowed is gone. */
    restore(): void {
      lent -= 1;
    },

    /** Nobody reads it any more. */
    give(chunk: Buffer): void {
      free.push(chunk);
    },

    /** Large chunks that are out. */
    out,
  };
}
