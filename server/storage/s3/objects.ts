import { Readable } from 'node:stream';
import { sha256Of } from '../../lib/sha256.ts';
import { type ByteRange, isKey, type ObjectStore, type OpenFile } from '../object-store.ts';
import type { S3Calls } from './calls.ts';
import { guardedS3, isAbsent, statusOf } from './failures.ts';
import type { MarkerWatch } from './marker.ts';
import { openObject, versionOf } from './open-object.ts';

/** Bytes per read of a whole object. */
const readChunk = 2 ** 18;

type Backend = {
  calls: S3Calls;
  prefix: string;
  mark: MarkerWatch;
};

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

export function createS3Store({ calls, prefix, mark }: Backend): ObjectStore {
  const nameOf = (key: string) => {
    if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} is no key of the storage`);
    return `${prefix}${key}`;
  };

  /** Reports an absent object only if the bucket belongs to this installation. */
  async function nothingHere(error?: unknown): Promise<undefined> {
    if (error !== undefined && !isAbsent(error)) throw error;
    await mark.assertOwnedNow();
  }

  async function openFile(key: string, part?: ByteRange): Promise<OpenFile | undefined> {
    const name = nameOf(key);
    const first = await calls.get(name, part).catch((error: unknown) => {
      // The object is shorter than expected: open it as a whole.
      if (part && statusOf(error) === 416) return undefined;
      return nothingHere(error).then(() => 'nothing' as const);
    });
    if (first === 'nothing') return undefined;
    return first ? openObject(calls, name, first, part) : openFile(key);
  }

  /** Requests no more than the range. */
  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const name = nameOf(key);
    const first = await calls.get(name, range).catch((error: unknown) => {
      if (statusOf(error) === 416) return 'past its end' as const;
      return nothingHere(error);
    });
    if (first === undefined) return undefined;
    if (first === 'past its end') return streamOf([]);
    const { start, end } = { start: range?.start ?? 0, end: Math.min(range?.end ?? first.size, first.size - 1) };
    return streamOf(chunksOf(openObject(calls, name, first, { start, end }), { start, end }));
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const name = nameOf(key);
    await mark.assertOwned();
    await calls.put(name, bytes, { size: bytes.length, sha256: sha256Of(bytes) });
  }

  async function commit(file: { path: string; size: number; sha256: string }, key: string): Promise<void> {
    const name = nameOf(key);
    await mark.assertOwned();
    await calls.putFile(file.path, name, file);
  }

  async function remove(key: string): Promise<void> {
    const name = nameOf(key);
    await mark.assertOwned();
    await calls.remove(name).catch((error: unknown) => nothingHere(error));
  }

  async function* list(start: string) {
    await guardedS3(mark.assertOwnedNow);
    for await (const { name, ...listed } of calls.listAll(start)) {
      const key = name.slice(prefix.length);
      if (isKey(key)) yield { ...listed, key };
    }
  }

  return {
    commit: (file, key) => guardedS3(() => commit(file, key)),
    write: (key, bytes) => guardedS3(() => write(key, bytes)),
    read: (key, range) => guardedS3(() => read(key, range)),
    open: (key, part) => guardedS3(() => openFile(key, part)),
    stat: (key) =>
      guardedS3(async () => {
        const head = await calls.head(nameOf(key));
        if (!head) return nothingHere();
        const { size, sha256 } = head;
        return { size, version: versionOf(head), ...(sha256 !== undefined && { sha256 }) };
      }),
    remove: (key) => guardedS3(() => remove(key)),
    list: (collection, folder) => list(`${prefix}${collection}/${folder === undefined ? '' : `${folder}/`}`),
    link: async (key, as) => calls.link(nameOf(key), as),
    isHealthy: () =>
      mark.assertOwnedNow().then(
        () => true,
        () => false,
      ),
    close: async () => calls.close(),
  };
}
