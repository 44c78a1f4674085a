/** How stored bytes go out: originals to their owner, what is left of them to everybody, renditions. */
import type { FastifyBaseLogger } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { NotFound, RenditionUnavailable } from '../errors.ts';
import { sha256Of } from '../sha256.ts';
import type { OpenFile } from '../storage/objects.ts';
import type { Storage } from '../storage/storage.ts';
import type { ByteReader, ByteSource } from './byte-source.ts';
import { adoptDigest, findByContent, renewContent } from './content-queries.ts';
import type { DecoderPool } from './decoder/pool.ts';
import { createDigests } from './digests.ts';
import { contentIdOf } from './keys.ts';
import { makeLateRenditions } from './late-renditions.ts';
import type { LooseBytes } from './loose-bytes.ts';
import { createOriginals } from './originals.ts';
import { createPublicOriginal } from './public-original.ts';
import { findOwnImage } from './queries.ts';
import { rebuildRenditions } from './rebuild-renditions.ts';
import { type RenditionName, renditions, wantsScreen } from './rendition-names.ts';
import { createRenditionsOnDemand, type LateNeed } from './renditions-on-demand.ts';

type Parts = {
  db: Database;
  storage: Storage;
  decoder: DecoderPool;
  looseBytes: Pick<LooseBytes, 'doubt'>;
  log: FastifyBaseLogger;
  /** STRIP_LOCATION */
  strip: boolean;
};

export type Delivery = ReturnType<typeof createDelivery>;

/** Bytes of a rendition beyond which it is not read whole. */
const mostWhole = 2 ** 21;

const readerOf = (file: OpenFile): ByteReader => ({
  async read(into, at) {
    if ((await file.read(into, at)) < into.length) throw new RenditionUnavailable();
  },
  close: file.close,
});

/** Columns that change when a work is done: that of the upload's answer, and that behind it. */
const changedBy = {
  first: ['traces', 'thumbnailSha256', 'hasScreen'],
  screen: ['screenSha256'],
  avif: ['thumbnailAvifSha256', 'screenAvifSha256'],
} as const;

export function createDelivery({ db, storage, decoder, looseBytes, log, strip }: Parts) {
  const digests = createDigests(storage);
  const rebuilding = {
    storage,
    decoder,
    digests,
    renewContent: renewContent.bind(undefined, db),
    doubt: looseBytes.doubt,
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
    adopt: (row, name, sha256) => adoptDigest(db, row, renditions[name].digest, sha256),
  });
  const originals = createOriginals({ storage, digests, log });

  async function readWhole(key: string, size: number): Promise<Buffer | undefined> {
    const file = await storage.open(key);
    try {
      const bytes = Buffer.allocUnsafeSlow(size);
      return file?.size === size && (await file.read(bytes, 0)) === size ? bytes : undefined;
    } finally {
      await file?.close();
    }
  }

  /**
   * With its bytes, which have been checked, where they are few enough and will be kept: what every reader had to read for
   * himself would be memory without a bound.
   * @param canKeep whether so many bytes will be
   * @throws what `renditions.ready` throws
   */
  async function rendition(
    row: ImageRow,
    name: RenditionName,
    canKeep: (bytes: number) => boolean,
  ): Promise<ByteSource> {
    const { key, size, sha256 } = await onDemand.ready(row, name);
    const open = () => storage.open(key).then((file) => file && readerOf(file));
    const bytes = size <= mostWhole && canKeep(size) ? await readWhole(key, size) : undefined;
    // They have been found good just now.
    const stored = { key, isSound: async () => true };
    return { size, etag: `"${sha256}"`, open, stored, ...(bytes && sha256Of(bytes) === sha256 ? { bytes } : {}) };
  }

  return {
    digests,
    originals,
    renditions: onDemand,
    rendition,
    /** Makes what is made behind the answer, with another decoder than that of people who wait. */
    makeBehind: (row: ImageRow, behind: DecoderPool, signal: AbortSignal) =>
      makeLateRenditions({ ...rebuilding, decoder: behind }, row, { screen: wantsScreen(row), avif: true, signal }),
    publicOriginal: createPublicOriginal({ originals, digests, renew: onDemand.renew, strip }),
  };
}
