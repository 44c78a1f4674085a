/** Bytes of renditions as they were found good: what the storage gives on the way out may be others, and is looked at again. */
import type { ImageRow } from '../../drizzle/schema.ts';
import { RenditionUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import type { RenditionName } from '../images/rendition-names.ts';
import { sha256Of } from '../lib/sha256.ts';
import type { Ready, RenditionsOnDemand } from '../renditions/on-demand.ts';
import type { ByteReader, ByteSource } from '../storage/byte-source.ts';
import type { ByteRange, OpenFile } from '../storage/object-store.ts';
import type { Storage } from '../storage/storage.ts';
import { checking } from './streaming/verifying-reader.ts';

type Parts = {
  storage: Pick<Storage, 'open'>;
  digests: Pick<ChecksumCache, 'forget'>;
  ready: RenditionsOnDemand['ready'];
};

/** Bytes of a rendition beyond which it is not read whole. */
const maxWhole = 2 ** 21;

export function createRenditionBytes({ storage, digests, ready }: Parts) {
  /** Answers undefined where what stands there is not what was found good: it is read anew by the next who looks. */
  async function openReady({ key, size, version, sealed }: Ready, range?: ByteRange): Promise<OpenFile | undefined> {
    const file = await storage.open(key, range, sealed);
    if (file?.version === version && file.size === size) return file;
    digests.forget(key);
    await file?.close();
    return undefined;
  }

  /** Answers undefined where they are not those that were found good. */
  async function readWhole(found: Ready): Promise<Buffer | undefined> {
    const file = await openReady(found);
    if (!file) return undefined;
    try {
      const bytes = Buffer.allocUnsafeSlow(found.size);
      if ((await file.read(bytes, 0)) === found.size && sha256Of(bytes) === found.sha256) return bytes;
      digests.forget(found.key);
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** The whole is compared on its way; a part is known by the version it is of. */
  function readerOf(file: OpenFile, { key, size, sha256 }: Ready, range?: ByteRange): ByteReader {
    const wrong = () => {
      digests.forget(key);
      return new RenditionUnavailable();
    };
    const read = async (into: Buffer, at: number) => {
      if ((await file.read(into, at)) < into.length) throw wrong();
    };
    const judge = (found: string) => {
      if (found !== sha256) throw wrong();
    };
    return { read: range ? read : checking(read, size, judge), close: file.close };
  }

  /** Where it has changed since, it is looked at once more: made anew, it may be the same again. */
  async function open(row: ImageRow, name: RenditionName, found: Ready, range?: ByteRange): Promise<ByteReader> {
    const file = await openReady(found, range);
    if (file) return readerOf(file, found, range);
    const now = await ready(row, name);
    const again = now.sha256 === found.sha256 ? await openReady(now, range) : undefined;
    if (!again) throw new RenditionUnavailable();
    return readerOf(again, now, range);
  }

  /**
   * With its bytes, which have been checked, where they are few enough and will be kept: what every reader had to read for
   * himself would be memory without a bound.
   * @param canKeep whether so many bytes will be
   * @throws what `renditions.ready` throws
   */
  return async (row: ImageRow, name: RenditionName, canKeep: (bytes: number) => boolean): Promise<ByteSource> => {
    for (let look = 1; look <= 2; look += 1) {
      const found = await ready(row, name);
      const { key, size, sha256, sealed } = found;
      const isKept = size <= maxWhole && canKeep(size);
      const bytes = isKept ? await readWhole(found) : undefined;
      if (isKept && !bytes) continue;
      // They have been found good just now. What is sealed there is not what the link serves.
      const stored = sealed ? {} : { stored: { key, isSound: async () => true } };
      const source = { size, etag: `"${sha256}"`, ...stored, open: open.bind(undefined, row, name, found) };
      return bytes ? { ...source, bytes } : source;
    }
    throw new RenditionUnavailable();
  };
}
