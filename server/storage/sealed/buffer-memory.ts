/** Memory of large buffers, kept out of the collector's hands: it sees some hundred bytes of each, and lets megabytes lie. */
import { MessageChannel } from 'node:worker_threads';

export type Spares = {
  take(bytes: number): Buffer;
  /** What was taken, when nobody looks at it any more. */
  give(buffer: Buffer): void;
};

/**
 * Buffers that are used again and again: memory that is new costs more than what is read into it.
 * @param size bytes of each: whoever takes more gets a new one
 * @param most how many there are: so does who finds none left
 */
export function createSpares(size: number, most: number): Spares {
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

/**
 * Frees the memory of a buffer that nobody looks at any more at once: it is transferred to a port without another end. One that
 * is a part of something larger is left as it is.
 */
export function letGo({ buffer, length }: Buffer): void {
  if (length > 0 && length === buffer.byteLength) nobody.postMessage(undefined, [buffer as ArrayBuffer]);
}
