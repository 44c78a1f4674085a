/** Explicit release of large buffers: the garbage collector sees only small handles and lets megabytes pile up. */
import { MessageChannel } from 'node:worker_threads';

export type BufferSpares = {
  take(bytes: number): Buffer;
  /** Returns a buffer that is no longer in use. */
  give(buffer: Buffer): void;
};

/**
 * A buffer pool: new memory costs more than the reads into it.
 * @param size bytes per buffer; larger requests get new memory
 * @param most number of buffers; further requests get new memory
 */
export function createBufferSpares(size: number, most: number): BufferSpares {
  const free: Buffer[] = [];
  const ours = new WeakMap<ArrayBufferLike, Buffer>();

  function make(): Buffer {
    const buffer = Buffer.allocUnsafeSlow(size);
    ours.set(buffer.buffer, buffer);
    return buffer;
  }

  let made = 0;
  return {
    take(bytes) {
      if (bytes > size || (free.length === 0 && made === most)) return Buffer.allocUnsafeSlow(bytes);
      if (free.length === 0) made += 1;
      return (free.pop() ?? make()).subarray(0, bytes);
    },
    give({ buffer }) {
      const whole = ours.get(buffer);
      if (whole) free.push(whole);
    },
  };
}

const nobody = new MessageChannel().port1;
nobody.close();

/** Frees a buffer's memory at once by transferring it to a closed port. Does nothing for a part of a larger buffer. */
export function releaseMemory({ buffer, length }: Buffer): void {
  if (length > 0 && length === buffer.byteLength) nobody.postMessage(undefined, [buffer as ArrayBuffer]);
}
