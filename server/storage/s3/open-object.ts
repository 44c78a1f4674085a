/**
 * Sequential reads use one response, others range requests. A reader that went backwards or was idle requests only what
 * it reads: cutting off a longer response would close its connection.
 */
import type { Readable } from 'node:stream';
import type { ByteRange, OpenFile } from '../object-store.ts';
import type { Opened } from './calls/reads.ts';
import type { S3Calls } from './calls.ts';
import { guardedS3, isTransient } from './failures.ts';

/** Milliseconds after which an idle response is closed, together with its connection. */
export const idleAfter = 2_000;
/** Milliseconds to wait for the next byte. */
const silence = 8_000;
const maxAttempts = 3;

export const versionOf = ({ etag, size }: { etag: string; size: number }) => `${etag}-${size}`;

class TooShort extends Error {}

function createTap(body: Readable) {
  // The reader gets the error.
  body.on('error', () => undefined);
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let over: Buffer = Buffer.alloc(0);

  async function next(): Promise<Buffer> {
    if (over.length > 0) return over;
    const timer = setTimeout(() => body.destroy(new Error('no byte within the time for it')), silence);
    try {
      const { done, value } = await chunks.next();
      if (done) throw new TooShort('the answer ended before its bytes did');
      return value;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async fill(into: Uint8Array): Promise<void> {
      for (let done = 0; done < into.length; ) {
        const chunk = await next();
        const part = chunk.subarray(0, into.length - done);
        into.set(part, done);
        done += part.length;
        over = chunk.subarray(part.length);
      }
    },
    /** Reads the end of the response, which frees its connection for the next call. */
    end: async () => {
      await chunks.next().catch(() => undefined);
    },
    destroy: () => body.destroy(),
  };
}

/** @param part the range in the first response, if not the whole object; requests beyond it are limited to what is read */
export function openObject(calls: S3Calls, name: string, first: Opened, part?: ByteRange): OpenFile {
  const { size, etag, sha256 } = first;
  const last = Math.min(part?.end ?? size, size - 1);
  let tap: ReturnType<typeof createTap> | undefined = createTap(first.body);
  /** The tap's position and end. */
  let position = part?.start ?? 0;
  let end = last + 1;
  let idle: NodeJS.Timeout | undefined;
  let inOrder = true;
  let latest = performance.now();

  function markActive(): void {
    clearTimeout(idle);
    calls.semaphore.markActive(drop);
  }

  function drop(): void {
    markActive();
    tap?.destroy();
    tap = undefined;
  }

  function markIdle(): void {
    idle = setTimeout(drop, idleAfter);
    idle.unref();
    calls.semaphore.markIdle(drop);
  }

  async function attempt(into: Uint8Array, at: number): Promise<void> {
    markActive();
    if (!tap || position !== at || at + into.length > end) {
      drop();
      inOrder &&= at >= position;
      const isBrisk = performance.now() - latest < idleAfter;
      end = inOrder && isBrisk ? Math.max(last + 1, at + into.length) : at + into.length;
      tap = createTap((await calls.get(name, { start: at, end: end - 1 }, etag)).body);
      position = at;
    }
    await tap.fill(into);
    position = at + into.length;
    latest = performance.now();
  }

  async function settle(): Promise<void> {
    if (position < end) return markIdle();
    await tap?.end();
    drop();
  }

  async function fill(into: Uint8Array, at: number): Promise<number> {
    const part = into.subarray(0, Math.max(0, Math.min(into.length, size - at)));
    if (part.length === 0) return 0;
    for (let count = 1; ; count += 1) {
      try {
        await attempt(part, at);
        await settle();
        return part.length;
      } catch (error) {
        drop();
        if (count === maxAttempts || !isTransient(error)) throw error;
      }
    }
  }

  markIdle();
  return {
    size,
    version: versionOf(first),
    ...(sha256 !== undefined && { sha256 }),
    read: (into, at) => guardedS3(() => fill(into, at)),
    close: async () => drop(),
  };
}
