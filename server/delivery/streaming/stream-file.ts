/** Streams from a reader into a response: each piece is read after the last one is sent. */
import type { ServerResponse } from 'node:http';
import { onResponseEnd } from '../../http/on-response-end.ts';
import type { ByteReader } from '../../storage/byte-source.ts';
import type { ByteRange } from '../../storage/object-store.ts';
import type { BufferPool } from './buffer-pool.ts';

/** Milliseconds to send a large buffer. A slower client gets small ones, to leave large ones to others. */
const brisk = 1_000;

/** Writes bytes. @returns false if the client disconnected. In both cases the buffer is no longer used. */
function written(response: ServerResponse, bytes: Buffer, isLast: boolean, closed: Promise<false>): Promise<boolean> {
  if (response.destroyed) return closed;
  const taken = new Promise<boolean>((resolve) => {
    if (isLast) response.end(bytes, () => resolve(true));
    else response.write(bytes, (error) => (error ? undefined : resolve(true)));
  });
  return Promise.race([taken, closed]);
}

const whenClosed = (response: ServerResponse) =>
  new Promise<false>((resolve) => onResponseEnd(response, () => resolve(false)));

type Piece = { bytes: Buffer; release(): void };

/** Reads pieces into pooled, leased or private buffers. */
function createPieces(reader: ByteReader, pool: BufferPool) {
  let own: Buffer | undefined;

  async function read(into: Buffer, at: number, release: Piece['release']): Promise<Piece> {
    try {
      await reader.read(into, at);
      return { bytes: into, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  function ownFor(left: number): Buffer {
    own ??= Buffer.allocUnsafeSlow(Math.min(left, pool.small));
    return own.subarray(0, left);
  }

  /** Copies a lease into the small buffer, so that a waiting client does not hold the lease. */
  async function copied(lease: NonNullable<ByteReader['lease']>, at: number, left: number): Promise<Piece> {
    const { bytes, release } = await lease(at);
    const into = ownFor(left);
    const length = bytes.copy(into);
    release();
    return { bytes: into.subarray(0, length), release: () => undefined };
  }

  async function leased(lease: NonNullable<ByteReader['lease']>, at: number, left: number): Promise<Piece> {
    try {
      const buffer = await lease(at);
      const release = () => {
        pool.releaseLease();
        buffer.release();
      };
      return { bytes: buffer.bytes.subarray(0, left), release };
    } catch (error) {
      pool.releaseLease();
      throw error;
    }
  }

  /** @param isSlow uses only the small buffer */
  return async (at: number, left: number, isSlow: boolean): Promise<Piece> => {
    const { lease } = reader;
    if (lease && !isSlow && pool.acquireLease()) return leased(lease, at, left);
    if (lease) return copied(lease, at, left);
    const large = isSlow || left <= pool.small ? undefined : pool.acquire();
    if (large) return read(large.subarray(0, left), at, () => pool.release(large));
    return read(ownFor(left), at, () => undefined);
  };
}

/** @param begin sends the headers; called after the first bytes are read @throws errors of the reader, not a disconnect */
export async function streamFile(
  reader: ByteReader,
  { start, end }: ByteRange,
  begin: () => ServerResponse,
  pool: BufferPool,
): Promise<void> {
  const nextPiece = createPieces(reader, pool);
  let answer: { response: ServerResponse; closed: Promise<false> } | undefined;
  let isSlow = false;

  /** @returns false if the client disconnected */
  async function pass(bytes: Buffer, isLast: boolean): Promise<boolean> {
    if (!answer) {
      const response = begin();
      answer = { response, closed: whenClosed(response) };
    }
    const began = performance.now();
    const taken = await written(answer.response, bytes, isLast, answer.closed);
    isSlow ||= performance.now() - began > brisk;
    return taken;
  }

  try {
    for (let at = start; at <= end; ) {
      const { bytes, release } = await nextPiece(at, end + 1 - at, isSlow);
      // Before the release, which may detach the buffer.
      at += bytes.length;
      let taken = false;
      try {
        taken = await pass(bytes, at > end);
      } finally {
        release();
      }
      if (!taken) return;
    }
  } finally {
    await reader.close();
  }
}
