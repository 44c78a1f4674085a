/** Explicit release of large buffers: the garbage collector sees only small handles and lets megabytes pile up. */
import { MessageChannel } from 'node:worker_threads';

type BufferPool = {
  acquire(bytes: number): Buffer;
  release(buffer: Buffer): void;
};

/** New memory costs more than the reads into it. Requests beyond `size` bytes or `max` buffers get new memory. */
export function createBufferPool(size: number, max: number): BufferPool {
  const free: Buffer[] = [];
  const buffers = new WeakMap<ArrayBufferLike, Buffer>();

  function make(): Buffer {
    const buffer = Buffer.allocUnsafeSlow(size);
    buffers.set(buffer.buffer, buffer);
    return buffer;
  }

  let made = 0;
  return {
    acquire(bytes) {
      if (bytes > size || (free.length === 0 && made === max)) return Buffer.allocUnsafeSlow(bytes);
      if (free.length === 0) made += 1;
      return (free.pop() ?? make()).subarray(0, bytes);
    },
    release({ buffer }) {
      const whole = buffers.get(buffer);
      if (whole) free.push(whole);
    },
  };
}

const closedPort = new MessageChannel().port1;
closedPort.close();

/** Frees a buffer's memory at once by transferring it to a closed port. Does nothing for a part of a larger buffer. */
export function releaseMemory({ buffer, length }: Buffer): void {
  if (length > 0 && length === buffer.byteLength) closedPort.postMessage(undefined, [buffer as ArrayBuffer]);
}
