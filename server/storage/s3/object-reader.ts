import { Readable } from 'node:stream';
import type { ByteRange, OpenFile, Stored } from '../object-store.ts';
import type { S3Calls } from './calls.ts';
import { statusOf } from './failures.ts';
import { confirmAbsent, type MarkerWatch } from './marker.ts';
import { openObject, versionOf } from './open-object.ts';

/** Bytes per read of a whole object. */
const readChunk = 2 ** 18;

async function* chunksOf(file: OpenFile, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  try {
    for (let at = start; at <= end; ) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(readChunk, end + 1 - at));
      await file.read(chunk, at);
      at += chunk.length;
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

const streamOf = (chunks: Iterable<Buffer> | AsyncIterable<Buffer>) =>
  Readable.from(chunks, { objectMode: false, highWaterMark: readChunk });

type Options = { calls: S3Calls; marker: MarkerWatch };

/** Reads objects by their names in the bucket. All methods return undefined if there is no object. */
export function createObjectReader({ calls, marker }: Options) {
  async function open(name: string, part?: ByteRange): Promise<OpenFile | undefined> {
    const first = await calls.get(name, part).catch((error: unknown) => {
      // The object is shorter than expected: open it as a whole.
      if (part && statusOf(error) === 416) return undefined;
      return confirmAbsent(marker, error).then(() => 'nothing' as const);
    });
    if (first === 'nothing') return undefined;
    return first ? openObject(calls, name, first, part) : open(name);
  }

  return {
    open,

    async read(name: string, range?: ByteRange): Promise<Readable | undefined> {
      const first = await calls.get(name, range).catch((error: unknown) => {
        if (statusOf(error) === 416) return 'past its end' as const;
        return confirmAbsent(marker, error);
      });
      if (first === undefined) return undefined;
      if (first === 'past its end') return streamOf([]);
      const { start, end } = { start: range?.start ?? 0, end: Math.min(range?.end ?? first.size, first.size - 1) };
      return streamOf(chunksOf(openObject(calls, name, first, { start, end }), { start, end }));
    },

    async stat(name: string): Promise<Stored | undefined> {
      const header = await calls.head(name);
      if (!header) return confirmAbsent(marker);
      const { size, sha256 } = header;
      return { size, version: versionOf(header), ...(sha256 !== undefined && { sha256 }) };
    },
  };
}
