import type { ImageRow } from '../../drizzle/schema.ts';
import { RenditionUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { type RenditionName, renditions } from '../images/rendition-names.ts';
import { sha256Of } from '../lib/sha256.ts';
import type { Ready, RenditionsOnDemand } from '../renditions/on-demand.ts';
import type { ByteReader, ByteSource, StoredBytes, WholeBytes } from '../storage/byte-source.ts';
import type { ByteRange, OpenFile } from '../storage/object-store.ts';
import type { Storage } from '../storage/storage.ts';
import { verifying } from './streaming/verifying-reader.ts';

type Parts = {
  storage: Pick<Storage, 'open'>;
  checksums: Pick<ChecksumCache, 'forget' | 'recall' | 'remember'>;
  ready: RenditionsOnDemand['ready'];
};

type Recorded = Pick<Ready, 'key' | 'sha256' | 'sealed'>;

type Wanted = { row: ImageRow; name: RenditionName; payer: string | undefined };

type CanKeep = (bytes: number) => boolean;

/** Maximum bytes of a rendition that is read whole. */
const maxWhole = 2 ** 21;

/** For `catch`: damaged and unreadable files are examined by `ready`. */
function unlessUnreadable(error: NodeJS.ErrnoException): undefined {
  if (error.syscall !== 'read') throw error;
}

const tagOf = (sha256: string) => `"${sha256}"`;

function recordedIn(row: ImageRow, name: RenditionName): Recorded | undefined {
  const { keyOf, checksum } = renditions[name];
  const sha256 = row[checksum];
  return sha256 === null ? undefined : { key: keyOf(row), sha256, sealed: row.renditionsSealed };
}

/** Opens verified renditions, and verifies the bytes again while they are read. */
function createOpener({ storage, checksums, ready }: Parts) {
  /** Opens a rendition; undefined if it is no longer the verified version, which the next reader verifies again. */
  async function openReady({ key, size, version, sealed }: Ready, range?: ByteRange): Promise<OpenFile | undefined> {
    const file = await storage.open(key, range, sealed);
    if (file?.version === version && file.size === size) return file;
    checksums.forget(key);
    await file?.close();
    return undefined;
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
    const verify = (found: string) => {
      if (found !== sha256) throw wrong();
    };
    return { read: range ? read : verifying(read, size, verify), close: file.close };
  }

  /** If the rendition changed, tries once more: a rebuild may produce the same bytes. */
  return async function open({ row, name, payer }: Wanted, found: Ready, range?: ByteRange): Promise<ByteReader> {
    const file = await openReady(found, range);
    if (file) return readerOf(file, found, range);
    const now = await ready(row, name, payer);
    const again = now.sha256 === found.sha256 ? await openReady(now, range) : undefined;
    if (!again) throw new RenditionUnavailable();
    return readerOf(again, now, range);
  };
}

export function createRenditionBytes(parts: Parts) {
  const { storage, checksums, ready } = parts;
  const open = createOpener(parts);

  /** Reads a small rendition with one open, one read and one hash; undefined if it is large, missing or damaged. */
  async function readWhole({ key, sha256, sealed }: Recorded, canKeep: CanKeep): Promise<WholeBytes | undefined> {
    const file = await storage.open(key, undefined, sealed).catch(unlessUnreadable);
    if (!file) return undefined;
    try {
      const known = checksums.recall(key, file.version);
      if (file.size > maxWhole || !canKeep(file.size) || (known ?? sha256) !== sha256) return undefined;
      const bytes = Buffer.allocUnsafeSlow(file.size);
      const isWhole = (await file.read(bytes, 0).catch(unlessUnreadable)) === file.size;
      if (isWhole && sha256Of(bytes) === sha256) {
        checksums.remember(key, file.version, sha256);
        return { size: bytes.length, etag: tagOf(sha256), bytes };
      }
      checksums.forget(key);
      return undefined;
    } finally {
      await file.close();
    }
  }

  function stored(wanted: Wanted, found: Ready): StoredBytes {
    const { key, size, sha256, sealed } = found;
    const source = { size, etag: tagOf(sha256), open: (range?: ByteRange) => open(wanted, found, range) };
    // Sealed bytes in the storage differ from the served ones.
    return sealed ? source : { ...source, stored: { key, isVerified: async () => true } };
  }

  /**
   * In memory only if it will be cached: otherwise memory would be unbounded.
   * @param payer the link whose visitor waits; by default the owner @throws errors of `renditions.ready`
   */
  return async (row: ImageRow, name: RenditionName, canKeep: CanKeep, payer?: string): Promise<ByteSource> => {
    const recorded = recordedIn(row, name);
    const whole = recorded && (await readWhole(recorded, canKeep));
    if (whole) return whole;
    for (let look = 1; look <= 2; look += 1) {
      const found = await ready(row, name, payer);
      if (found.size > maxWhole || !canKeep(found.size)) return stored({ row, name, payer }, found);
      const again = await readWhole(found, canKeep);
      if (again) return again;
    }
    throw new RenditionUnavailable();
  };
}
