/** The public bytes of an original: all, all but sensitive metadata, or none. */
import type { ImageRow, Redaction } from '../../drizzle/schema.ts';
import { patchesOf, redactStream } from '../decoder/metadata/bytes/redaction.ts';
import { LocationWithheld, RenditionUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { originalKey } from '../images/keys.ts';
import type { RenditionsOnDemand } from '../renditions/on-demand.ts';
import type { ByteReader, StoredBytes } from '../storage/byte-source.ts';
import type { Originals } from './originals.ts';
import type { RedactedTag } from './redacted-tag.ts';

type Parts = {
  originals: Originals;
  checksums: Pick<ChecksumCache, 'read'>;
  /** Inspects an original stored by a version that did not detect locations. */
  renew: RenditionsOnDemand['renew'];
  /** STRIP_LOCATION */
  strip: boolean;
  tagOf: RedactedTag;
};

/** @param payer the link whose visitor waits; by default the owner */
type PublicOriginal = (row: ImageRow, payer?: string) => Promise<StoredBytes>;

export function createPublicOriginal({ originals, checksums, renew, strip, tagOf }: Parts): PublicOriginal {
  const untouched = (row: ImageRow): StoredBytes => ({
    size: row.size,
    etag: `"${row.sha256}"`,
    open: (range) => originals.open(row, range),
    // Sealed bytes in the storage differ from the served ones.
    ...(!row.sealed && {
      stored: {
        key: originalKey(row),
        isVerified: async () => (await checksums.read(originalKey(row), row.sha256))?.sha256 === row.sha256,
      },
    }),
  });

  function redacted(row: ImageRow, redaction: Redaction): StoredBytes {
    return {
      size: row.size,
      // Differs from the original's ETag, and between redactions: caches must not mix them.
      etag: tagOf(row.sha256, redaction),
      async open(range) {
        const original = await originals.open(row, range);
        if (!original) return undefined;
        const patches = patchesOf(redaction);
        const read = async (into: Buffer, at: number) => {
          await original.read(into, at);
          redactStream(into, at, patches);
        };
        const redacting = (lease: NonNullable<ByteReader['lease']>) => async (at: number) => {
          const leased = await lease(at);
          redactStream(leased.bytes, at, patches);
          return leased;
        };
        return { read, ...(original.lease && { lease: redacting(original.lease) }), close: original.close };
      },
    };
  }

  async function inspected(row: ImageRow, payer?: string): Promise<ImageRow> {
    if (row.traces !== null) return row;
    return renew(row, undefined, payer).catch((error) => {
      throw error instanceof RenditionUnavailable ? new LocationWithheld() : error;
    });
  }

  /** @throws LocationWithheld; DamagedOriginal, ServerBusy if the original must be inspected first */
  return async (row, payer) => {
    if (!strip) return untouched(row);
    const seen = await inspected(row, payer);
    if (seen.traces === 'none') return untouched(seen);
    // Anything not known to be removable is withheld.
    if (seen.traces !== 'removable' || !seen.redaction) throw new LocationWithheld();
    return redacted(seen, seen.redaction);
  };
}
