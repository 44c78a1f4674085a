/** Serves originals exactly as uploaded: a damaged original is never sent completely. */
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, StorageUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { originalKey } from '../images/keys.ts';
import type { ByteReader } from '../storage/byte-source.ts';
import type { ByteRange, OpenFile } from '../storage/object-store.ts';
import { type Storage, seals } from '../storage/storage.ts';
import { verifying } from './streaming/verifying-reader.ts';

export type Originals = {
  /**
   * Opens an original or a range of it; undefined if the file is missing. Reads throw the same errors, at the latest for the
   * last bytes.
   * @throws DamagedOriginal; StorageUnavailable if a second read finds the bytes intact
   */
  open(row: ImageRow, range?: ByteRange): Promise<ByteReader | undefined>;
};

type Parts = { storage: Storage; checksums: ChecksumCache; log: Pick<FastifyBaseLogger, 'error'> };

export function createOriginals({ storage, checksums, log }: Parts): Originals {
  /** Damaged versions already logged, by image id. */
  const reported = new LRUCache<string, string>({ max: 1_000 });

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

  /**
   * Verifies the whole original before a range is sent. With a key, also before a plain original is sent: until `encrypt`
   * reaches it, only the hash distinguishes it from planted bytes.
   */
  async function openVerified(row: ImageRow, range: ByteRange | undefined): Promise<OpenFile | undefined> {
    const key = originalKey(row);
    const file = await storage.open(key, range, row.sealed);
    const isVerifiedWhileRead = !range && (row.sealed || !seals(storage));
    if (!file || isVerifiedWhileRead || checksums.recall(key, file.version) !== undefined) return file;
    await file.close();
    await checksums.read(key, row.sha256, row.sealed);
    return storage.open(key, range, row.sealed);
  }

  return {
    async open(row, range) {
      const key = originalKey(row);
      const file = await openVerified(row, range);
      if (!file) return undefined;
      const { version } = file;
      /** Reads wrong bytes again, to distinguish a temporary error of the storage from damage. */
      const wrong = async () => {
        if (checksums.recall(key, version) === row.sha256) checksums.forget(key);
        const again = await checksums.read(key, row.sha256, row.sealed);
        return again?.sha256 === row.sha256 ? new StorageUnavailable() : damaged(row, version);
      };
      const plain = async (into: Buffer, at: number) => {
        if ((await file.read(into, at)) < into.length) throw await wrong();
      };
      const checkedLease = (lease: NonNullable<OpenFile['lease']>) => async (at: number) => {
        const some = await lease(at);
        if (some.bytes.length === 0) throw await wrong();
        return some;
      };
      const verifyWhole = async (sha256: string) => {
        if (sha256 !== row.sha256) throw await wrong();
        checksums.remember(key, version, sha256);
      };
      try {
        const known = checksums.recall(key, version);
        const isUnknown = known === undefined && !range;
        if (file.size !== row.size || !(isUnknown || known === row.sha256)) throw await wrong();
        if (isUnknown) return { read: verifying(plain, row.size, verifyWhole), close: file.close };
        return { read: plain, ...(file.lease && { lease: checkedLease(file.lease) }), close: file.close };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  };
}
