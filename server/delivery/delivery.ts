/** How stored bytes go out: originals to their owner, what is left of them to everybody, renditions. */
import type { FastifyBaseLogger } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import type { DecoderPool } from '../decoder/pool/pool.ts';
import { NotFound } from '../errors.ts';
import { createChecksumCache } from '../images/checksum-cache.ts';
import { adoptChecksum, findByContent, renewContent } from '../images/content-queries.ts';
import { contentIdOf } from '../images/keys.ts';
import type { OrphanedBlobs } from '../images/orphaned-blobs/orphaned-blobs.ts';
import { findOwnImage } from '../images/queries.ts';
import { renditions, wantsScreen } from '../images/rendition-names.ts';
import { makeLateRenditions } from '../renditions/late-renditions.ts';
import { createRenditionsOnDemand, type LateNeed } from '../renditions/on-demand.ts';
import { rebuildRenditions } from '../renditions/rebuild-renditions.ts';
import type { Storage } from '../storage/storage.ts';
import { createOriginals } from './originals.ts';
import { createPublicOriginal } from './public-original.ts';
import { redactedTags } from './redacted-tag.ts';
import { createRenditionBytes } from './rendition-bytes.ts';

type Parts = {
  db: Database;
  storage: Storage;
  decoder: DecoderPool;
  orphanedBlobs: Pick<OrphanedBlobs, 'reconcile'>;
  log: FastifyBaseLogger;
  /** STRIP_LOCATION */
  strip: boolean;
  /** Shared by all servers of this gallery. */
  secret: string;
};

export type Delivery = ReturnType<typeof createDelivery>;

/** Columns that change when a work is done: that of the upload's answer, and that behind it. */
const changedBy = {
  first: ['traces', 'thumbnailSha256', 'hasScreen', 'renditionsSealed'],
  screen: ['screenSha256', 'renditionsSealed'],
  avif: ['thumbnailAvifSha256', 'screenAvifSha256', 'renditionsSealed'],
} as const;

export function createDelivery({ db, storage, decoder, orphanedBlobs, log, strip, secret }: Parts) {
  const digests = createChecksumCache(storage);
  const rebuilding = {
    storage,
    decoder,
    digests,
    renewContent: renewContent.bind(undefined, db),
    reconcile: orphanedBlobs.reconcile,
  };

  /**
   * Whoever asked while it was done holds the row as it was: then there is nothing to do. It is done for all images of
   * the content: where the one that was asked for is gone, others wait for it.
   */
  async function rebuild(row: ImageRow, late?: LateNeed): Promise<ImageRow> {
    const now = (await findOwnImage(db, row.ownerId, row.id)) ?? (await findByContent(db, contentIdOf(row)));
    if (!now) throw new NotFound('There is no image at this link. It may have been deleted.');
    const isMoved = contentIdOf(now) !== contentIdOf(row);
    const columns = changedBy[late ? (late.avif ? 'avif' : 'screen') : 'first'];
    const isDone = isMoved || columns.some((column) => now[column] !== row[column]);
    if (isDone) return now;
    return late ? makeLateRenditions(rebuilding, now, late) : rebuildRenditions(rebuilding, now);
  }

  const onDemand = createRenditionsOnDemand({
    storage,
    digests,
    rebuild,
    adopt: (row, name, sha256) => adoptChecksum(db, row, renditions[name].digest, sha256),
  });
  const originals = createOriginals({ storage, digests, log });

  return {
    digests,
    originals,
    renditions: onDemand,
    rendition: createRenditionBytes({ storage, digests, ready: onDemand.ready }),
    /** Makes what is made behind the answer, with another decoder than that of people who wait. */
    makeInBackground: (row: ImageRow, behind: DecoderPool, signal: AbortSignal) =>
      makeLateRenditions({ ...rebuilding, decoder: behind }, row, { screen: wantsScreen(row), avif: true, signal }),
    publicOriginal: createPublicOriginal({
      originals,
      digests,
      renew: onDemand.renew,
      strip,
      tagOf: redactedTags(secret),
    }),
  };
}
