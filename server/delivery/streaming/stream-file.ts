/** Bytes from a reader into an answer, piece by piece: the next is read when the last has been taken. */
import type { ServerResponse } from 'node:http';
import { onResponseEnd } from '../../http/on-response-end.ts';
import type { ByteReader } from '../../storage/byte-source.ts';
import type { ByteRange } from '../../storage/object-store.ts';
import type { BufferPool } from './buffer-pool.ts';

/** Milliseconds for a large chunk, after which a reader gets small ones: a large one that waits is kept from the others. */
const brisk = 1_000;

/**
 * @returns whether the system has taken the bytes over: not where the client left before, and the answer is closed. In both cases
 * nobody reads from them any more: a connection is told to be closed when its descriptor is.
 */
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

/** Bytes on their way, and what becomes of their memory when nobody reads from them any more. */
type Piece = { bytes: Buffer; release(): void };

/** What has been read is somebody's chunk, or memory of the reader's own. */
function createPieces(reader: ByteReader, chunks: BufferPool) {
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
    own ??= Buffer.allocUnsafeSlow(Math.min(left, chunks.small));
    return own.subarray(0, left);
  }

  /** Opened again for each piece, so that who waits holds no more than that. */
  async function copied(lend: NonNullable<ByteReader['lend']>, at: number, left: number): Promise<Piece> {
    const { bytes, giveBack } = await lend(at);
    const into = ownFor(left);
    const length = bytes.copy(into);
    giveBack();
    return { bytes: into.subarray(0, length), release: () => undefined };
  }

  async function lent(lend: NonNullable<ByteReader['lend']>, at: number, left: number): Promise<Piece> {
    try {
      const { bytes, giveBack } = await lend(at);
      const release = () => {
        chunks.restore();
        giveBack();
      };
      return { bytes: bytes.subarray(0, left), release };
    } catch (error) {
      chunks.restore();
      throw error;
    }
  }

  /** @param isSlow gets no more at once than every reader may have */
  return async (at: number, left: number, isSlow: boolean): Promise<Piece> => {
    const { lend } = reader;
    if (lend && !isSlow && chunks.borrow()) return lent(lend, at, left);
    if (lend) return copied(lend, at, left);
    const large = isSlow || left <= chunks.small ? undefined : chunks.take();
    if (large) return read(large.subarray(0, left), at, () => chunks.give(large));
    return read(ownFor(left), at, () => undefined);
  };
}

/**
 * @param begin sends the headers; called when the first bytes are known to be good
 * @throws what the reader throws. It is closed in any case; a client that leaves is no error.
 */
export async function streamFile(
  reader: ByteReader,
  { start, end }: ByteRange,
  begin: () => ServerResponse,
  chunks: BufferPool,
): Promise<void> {
  const nextPiece = createPieces(reader, chunks);
  let answer: { response: ServerResponse; closed: Promise<false> } | undefined;
  let isSlow = false;

  /** @returns whether they were taken */
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
      at += bytes.length; // which is none when they have been given back
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
