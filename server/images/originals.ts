/** Originals as they were uploaded, or not at all: bytes that are no longer those are never sent as if they were. */
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal } from '../errors.ts';
import type { ByteRange, OpenFile } from '../storage/objects.ts';
import type { Storage } from '../storage/storage.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { ByteReader } from './byte-source.ts';
import type { Digests } from './digests.ts';
import { originalKey } from './keys.ts';

export type Originals = {
  /**
   * The bytes of an original, or a part of them. Answers undefined where the file is missing.
   * @throws DamagedOriginal; so does a read, that of the last bytes at the latest, where the damage is found on the way
   */
  open(row: ImageRow, range?: ByteRange): Promise<ByteReader | undefined>;
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

  /** A part cannot be judged by itself, so the whole is read first where nobody has done so. */
  async function openJudged(key: string, range: ByteRange | undefined): Promise<OpenFile | undefined> {
    const file = await storage.open(key);
    if (!file || !range || digests.recall(key, file.version) !== undefined) return file;
    await file.close();
    await digests.read(key);
    return storage.open(key);
  }

  /** Passes bytes on and hashes them: the last of them only when the whole is known to be right, so that its end never comes. */
  function checking(file: OpenFile, plain: ByteReader['read'], judge: (sha256: string) => void): ByteReader['read'] {
    const hash = createHash('sha256');
    return async (into, at) => {
      await plain(into, at);
      hash.update(into);
      if (at + into.length === file.size) judge(hash.digest('hex'));
    };
  }

  return {
    async open(row, range) {
      const key = originalKey(row);
      const file = await openJudged(key, range);
      if (!file) return undefined;
      const judge = (sha256: string | undefined) => {
        if (sha256 !== row.sha256) throw damaged(row, file.version);
      };
      const plain = async (into: Buffer, at: number) => {
        if ((await file.read(into, at)) === into.length) return;
        // From here on this version is refused before a byte of it is sent.
        digests.remember(key, file.version, '');
        throw damaged(row, file.version);
      };
      try {
        const known = digests.recall(key, file.version);
        if (file.size !== row.size) throw damaged(row, file.version);
        if (known !== undefined || range) judge(known);
        const learn = (sha256: string) => {
          digests.remember(key, file.version, sha256);
          judge(sha256);
        };
        return { read: known === undefined ? checking(file, plain, learn) : plain, close: file.close };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  };
}
