/** What of an original its link hands out: all of it, all but places and serial numbers, or nothing. */
import type { ImageRow, Redaction } from '../../drizzle/schema.ts';
import { patchesOf, redactStream } from '../decoder/metadata/bytes/redaction.ts';
import { LocationWithheld, RenditionUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { originalKey } from '../images/keys.ts';
import type { ByteReader, ByteSource } from '../storage/byte-source.ts';
import type { Originals } from './originals.ts';
import type { RedactedTag } from './redacted-tag.ts';

type Parts = {
  originals: Originals;
  digests: Pick<ChecksumCache, 'read'>;
  /** Looks into an original that an earlier version stored, which did not ask for places. */
  renew: (row: ImageRow) => Promise<ImageRow>;
  /** STRIP_LOCATION */
  strip: boolean;
  tagOf: RedactedTag;
};

export type PublicOriginal = (row: ImageRow) => Promise<ByteSource>;

export function createPublicOriginal({ originals, digests, renew, strip, tagOf }: Parts): PublicOriginal {
  const untouched = (row: ImageRow): ByteSource => ({
    size: row.size,
    etag: `"${row.sha256}"`,
    open: (range) => originals.open(row, range),
    // What is sealed there is not what the link serves.
    ...(!row.sealed && {
      stored: {
        key: originalKey(row),
        isSound: async () => (await digests.read(originalKey(row), row.sha256))?.sha256 === row.sha256,
      },
    }),
  });

  function redacted(row: ImageRow, redaction: Redaction): ByteSource {
    return {
      size: row.size,
      // Other bytes than the original's, so that no cache takes one for the other when STRIP_LOCATION is changed, nor for
      // those that another version of the program covered differently.
      etag: tagOf(row.sha256, redaction),
      async open(range) {
        const original = await originals.open(row, range);
        if (!original) return undefined;
        const patches = patchesOf(redaction);
        const read = async (into: Buffer, at: number) => {
          await original.read(into, at);
          redactStream(into, at, patches);
        };
        const redacting = (lend: NonNullable<ByteReader['lend']>) => async (at: number) => {
          const lent = await lend(at);
          redactStream(lent.bytes, at, patches);
          return lent;
        };
        return { read, ...(original.lend && { lend: redacting(original.lend) }), close: original.close };
      },
    };
  }

  async function lookedInto(row: ImageRow): Promise<ImageRow> {
    if (row.traces !== null) return row;
    return renew(row).catch((error) => {
      throw error instanceof RenditionUnavailable ? new LocationWithheld() : error;
    });
  }

  /** @throws LocationWithheld; DamagedOriginal, ServerBusy where it has to be looked into first */
  return async (row) => {
    if (!strip) return untouched(row);
    const seen = await lookedInto(row);
    if (seen.traces === 'none') return untouched(seen);
    // Whatever else is not known to be removable is not passed on.
    if (seen.traces !== 'removable' || !seen.redaction) throw new LocationWithheld();
    return redacted(seen, seen.redaction);
  };
}
