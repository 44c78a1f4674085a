/** Serves verified renditions, and verifies the bytes again while they are read. */
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
  checksums: Pick<ChecksumCache, 'forget'>;
  ready: RenditionsOnDemand['ready'];
};

/** Maximum bytes of a rendition that is read whole. */
const maxWhole = 2 ** 21;

export function createRenditionBytes({ storage, checksums, ready }: Parts) {
  /** Opens a rendition; undefined if it is no longer the verified version, which the next reader verifies again. */
  async function openReady({ key, size, version, sealed }: Ready, range?: ByteRange): Promise<OpenFile | undefined> {
    const file = await storage.open(key, range, sealed);
    if (file?.version === version && file.size === size) return file;
    checksums.forget(key);
    await file?.close();
    return undefined;
  }

  /** Reads a rendition; undefined if its bytes are not the verified ones. */
  async function readWhole(found: Ready): Promise<Buffer | undefined> {
    const file = await openReady(found);
    if (!file) return undefined;
    try {
      const bytes = Buffer.allocUnsafeSlow(found.size);
      if ((await file.read(bytes, 0)) === found.size && sha256Of(bytes) === found.sha256) return bytes;
      checksums.forget(found.key);
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** A full read verifies the checksum; a range relies on the version. */
  function readerOf(file: OpenFile, { key, size, sha256 }: Ready, range?: ByteRange): ByteReader {
    const wrong = () => {
      checksums.forget(key);
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

  /** If the rendition changed, tries once more: a rebuild may produce the same bytes. */
  async function open(row: ImageRow, name: RenditionName, found: Ready, range?: ByteRange): Promise<ByteReader> {
    const file = await openReady(found, range);
    if (file) return readerOf(file, found, range);
    const now = await ready(row, name);
    const again = now.sha256 === found.sha256 ? await openReady(now, range) : undefined;
    if (!again) throw new RenditionUnavailable();
    return readerOf(again, now, range);
  }

  /**
   * Returns a source, with verified bytes only if they will be cached: otherwise concurrent readers would use unbounded memory.
   * @param canKeep whether the cache accepts so many bytes
   * @throws errors of `renditions.ready`
   */
  return async (row: ImageRow, name: RenditionName, canKeep: (bytes: number) => boolean): Promise<ByteSource> => {
    for (let look = 1; look <= 2; look += 1) {
      const found = await ready(row, name);
      const { key, size, sha256, sealed } = found;
      const isKept = size <= maxWhole && canKeep(size);
      const bytes = isKept ? await readWhole(found) : undefined;
      if (isKept && !bytes) continue;
      // The bytes were just verified. Sealed bytes in the storage differ from the served ones.
      const stored = sealed ? {} : { stored: { key, isSound: async () => true } };
      const source = { size, etag: `"${sha256}"`, ...stored, open: open.bind(undefined, row, name, found) };
      return bytes ? { ...source, bytes } : source;
    }
    throw new RenditionUnavailable();
  };
}
