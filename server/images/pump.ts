/** Bytes from a reader into an answer, through one chunk of memory: the next is read when the last has been taken. */
import type { ServerResponse } from 'node:http';
import { whenOver } from '../plugins/when-over.ts';
import type { ByteRange } from '../storage/objects.ts';
import type { ByteReader } from './byte-source.ts';
import { type Chunks, createChunks, usualChunks } from './chunks.ts';

/** All answers of the process share these. */
let shared = createChunks();

/** A part of them, before any answer goes out: several processes share the memory of one machine. */
export function shareChunks(part: (whole: number) => number): void {
  shared = createChunks({ ...usualChunks, most: part(usualChunks.most) });
}

/** Milliseconds for a large chunk, after which a reader gets small ones: a large one that waits is kept from the others. */
const brisk = 1_000;

/** @returns whether the system has taken the bytes over: not where the client left before, and the answer is closed */
function written(response: ServerResponse, bytes: Buffer, isLast: boolean, closed: Promise<false>): Promise<boolean> {
  if (response.destroyed) return closed;
  const taken = new Promise<boolean>((resolve) => {
    if (isLast) response.end(bytes, () => resolve(true));
    else response.write(bytes, (error) => (error ? undefined : resolve(true)));
  });
  return Promise.race([taken, closed]);
}

const closing = (response: ServerResponse) => new Promise<false>((resolve) => whenOver(response, () => resolve(false)));

/**
 * @param begin sends the headers; called when the first bytes are known to be good
 * @throws what the reader throws. It is closed in any case; a client that leaves is no error.
 */
export async function pump(
  reader: ByteReader,
  { start, end }: ByteRange,
  begin: () => ServerResponse,
  chunks: Chunks = shared,
): Promise<void> {
  let answer: { response: ServerResponse; closed: Promise<false> } | undefined;
  let own: Buffer | undefined;
  let isSlow = false;

  /** @returns whether the chunk's bytes were taken */
  async function pass(bytes: Buffer, at: number): Promise<boolean> {
    await reader.read(bytes, at);
    if (!answer) {
      const response = begin();
      answer = { response, closed: closing(response) };
    }
    const began = performance.now();
    const taken = await written(answer.response, bytes, at + bytes.length > end, answer.closed);
    isSlow ||= performance.now() - began > brisk;
    return taken;
  }

  try {
    for (let at = start; at <= end; ) {
      const left = end + 1 - at;
      const large = isSlow || left <= chunks.small ? undefined : chunks.take();
      own ??= large ? undefined : Buffer.allocUnsafeSlow(Math.min(left, chunks.small));
      const bytes = (large ?? own ?? Buffer.alloc(0)).subarray(0, left);
      let taken: boolean | undefined;
      try {
        taken = await pass(bytes, at);
      } finally {
        // The socket of a client that has gone may be reading from it yet.
        if (large && taken === false) chunks.abandon();
        else if (large) chunks.give(large);
      }
      if (!taken) return;
      at += bytes.length;
    }
  } finally {
    await reader.close();
  }
}
