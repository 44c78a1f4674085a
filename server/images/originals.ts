/** Originals as they were uploaded, or not at all: bytes that are no longer those are never sent as if they were. */
import { pipeline, type Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal } from '../errors.ts';
import type { ByteRange, Storage } from '../storage/storage.ts';
import { createBoundedMap } from './bounded-map.ts';
import { type Digests, holdingBack } from './digests.ts';
import { originalKey } from './keys.ts';

export type Originals = {
  /**
   * The bytes of an original, or a part of them. Answers undefined where the file is missing.
   * @throws DamagedOriginal; so does the stream, before its end, where the damage is found only while it is read
   */
  open(row: ImageRow, range?: ByteRange): Promise<Readable | undefined>;
};

type Parts = { storage: Storage; digests: Digests; log: Pick<FastifyBaseLogger, 'error'> };

export function createOriginals({ storage, digests, log }: Parts): Originals {
  /** Versions that were spoken of in the log: one line for each, however often it is asked for. */
  const reported = createBoundedMap<string>(1_000);

  function damaged(row: ImageRow, version: string): Error {
    if (reported.get(row.id) !== version) {
      reported.set(row.id, version);
      log.error(
        { image: row.id },
        'the bytes of an original are not those that were uploaded; restore it from a backup',
      );
    }
    return new DamagedOriginal();
  }

  return {
    async open(row, range) {
      const key = originalKey(row);
      // A part cannot be judged by itself, so the whole is read first.
      const found = range ? await digests.read(key) : await digests.known(key);
      if (!found) return undefined;
      const judge = (sha256: string) => {
        if (sha256 !== row.sha256) throw damaged(row, found.version);
      };
      if (found.size !== row.size) throw damaged(row, found.version);
      if (found.sha256 !== undefined) judge(found.sha256);
      const stream = await storage.read(key, range);
      if (!stream || found.sha256 !== undefined) return stream;
      const checked = holdingBack((sha256) => {
        digests.remember(key, found.version, sha256);
        judge(sha256);
      });
      return pipeline(stream, checked, () => undefined);
    },
  };
}
