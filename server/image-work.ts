/**
 * The work on images: decoders, what is delivered and made ahead, the ingest, uploads in pieces, and the sweeps after them.
 * It ends with the app.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sweeping } from './background/sweeping.ts';
import type { Config } from './config/config.ts';
import { decodeLimits, LIGHT, MEMORY_BUDGET } from './decoder/core/limits.ts';
import { openIsolation } from './decoder/isolation.ts';
import { withKnownFailures } from './decoder/known-failures.ts';
import { createDecoderPool, type DecoderPool } from './decoder/pool/pool.ts';
import { createDelivery } from './delivery/delivery.ts';
import { NoSpace } from './errors.ts';
import { imageAlike } from './images/content-queries.ts';
import { cleanFilename } from './images/filename.ts';
import { createOrphanedBlobs } from './images/orphaned-blobs/orphaned-blobs.ts';
import { createOrphanQueries } from './images/orphaned-blobs/queries.ts';
import { noRoomFor, type Quota } from './images/quota.ts';
import { admissionOf, createAdmission, type defaultAdmission } from './ingest/admission.ts';
import { createDeduplication } from './ingest/deduplication.ts';
import { createIngest } from './ingest/ingest.ts';
import { insertImages, insertOrphaned } from './ingest/insertion-queries.ts';
import { createTakeFile } from './ingest/single-upload.ts';
import { createUploads } from './ingest/tus/uploads.ts';
import type { Monitoring } from './monitoring/monitoring.ts';
import { createBackgroundRenditions } from './renditions/background-renditions.ts';
import { createIdleGate } from './renditions/idle-gate.ts';
import { dueBeside, findDue } from './renditions/queries.ts';
import { filesOf } from './storage/backend.ts';
import { createReserve, noReserve } from './storage/reserve.ts';
import { stagedBy } from './storage/staging.ts';
import { withinReserve } from './storage/within-reserve.ts';
import type { Share } from './workers/share.ts';

export type ImageWorkOptions = {
  /** Milliseconds without a picture to decode after which renditions are made ahead. */
  idleAfter?: number;
  /** Milliseconds for decoding one picture. */
  decodeWithin?: number;
  /** Instead of the pool of decoding processes: what measures the way of the bytes alone. */
  decoder?: DecoderPool;
  /** Told the path of each file that the decoder takes up. */
  onDecode?: (path: string) => void;
  /** Where it differs from the usual one. */
  admission?: Partial<typeof defaultAdmission>;
};

type Parts = {
  config: Config;
  options: ImageWorkOptions;
  monitoring: Monitoring;
  share: Share;
  quota: Quota;
  /** What signs the tokens. */
  secret: string;
  /** What is swept beside the images' own. */
  swept: Record<string, () => Promise<unknown>>;
};

export async function openImageWork(app: FastifyInstance, parts: Parts) {
  const { config, options, monitoring, share, quota, secret, swept } = parts;
  const { db, presence } = app;
  const reserve = config.databaseUrl ? noReserve : createReserve(join(config.dataDir, 'postgres'));
  const received = reserve === noReserve ? app.storage : withinReserve(app.storage, reserve);
  const admission = createAdmission({ ...admissionOf(share.of), ...options.admission }, reserve, config.maxFileSize);
  const limits = decodeLimits(config.maxPixels, options.decodeWithin);
  const { decoderIsolation, encryptionKey } = config;
  const folder = stagedBy(filesOf(config), presence.number);
  const isolation = await openIsolation(app, { folder, decoderIsolation }, monitoring.onIsolation);
  const memory = share.of(MEMORY_BUDGET, LIGHT);
  const pool = { limits, workers: share.decoders, memory, isolation, folder, wipe: encryptionKey !== undefined };
  const quiet = createIdleGate(options.idleAfter ?? 2_000);
  const decoder = quiet.watch(
    withKnownFailures(
      monitoring.watchDecoder('asked', (started) => {
        const onStart = (path: string) => {
          started(path);
          options.onDecode?.(path);
        };
        return options.decoder ?? createDecoderPool({ ...pool, onStart });
      }),
    ),
  );
  // As many processes as one, at the lowest priority: nobody waits for it.
  const backgroundDecoder = withKnownFailures(
    monitoring.watchDecoder('behind', (onStart) =>
      createDecoderPool({ ...pool, workers: 1, nice: 19, breakOff: true, idleMs: 1_000, onStart }),
    ),
  );
  const orphanedBlobs = createOrphanedBlobs({
    storage: app.storage,
    queries: createOrphanQueries(db, presence.number),
    isAlive: presence.isAlive,
    log: app.log,
  });
  const strip = config.stripLocation === 'on';
  const delivery = createDelivery({ db, storage: app.storage, decoder, orphanedBlobs, log: app.log, strip, secret });
  app.onEnd('renditions on demand', () => delivery.renditions.settled());
  const behind =
    config.renditionsAhead === 'on'
      ? createBackgroundRenditions({
          quiet,
          jobs: app.jobs,
          findDue: (content) => findDue(db, content),
          dueBeside: (queue, most) => dueBeside(db, queue, most),
          async make(row, signal) {
            // What can wait waits for room.
            if ((await reserve.room()) <= 0) throw new NoSpace();
            return delivery.makeInBackground(row, backgroundDecoder, signal);
          },
        })
      : undefined;
  app.onStop(quiet.close);
  app.onEnd('background decoders', () => backgroundDecoder.close());
  const deduplication = createDeduplication({
    decoder: admission.count(decoder),
    digests: delivery.digests,
    imageAlike: imageAlike.bind(undefined, db),
  });
  const ingest = createIngest(
    monitoring.watchIngest({
      storage: received,
      deduplication,
      orphanedBlobs,
      insertOrphaned: (contents) => insertOrphaned(db, contents, presence.number),
      async insertImages(ownerId, images, deduplicated, alongside) {
        const upload = { ownerId, images, deduplicated, process: presence.number, quota, alongside };
        const inserted = await insertImages(db, upload);
        monitoring.outside(() => void behind?.queue(inserted.stored));
        return inserted;
      },
    }),
  );
  const uploads = createUploads({
    db,
    partials: received.partials,
    room: async () => Math.min(await received.partials.room(), await reserve.room()),
    takeFile: createTakeFile(ingest, quota),
    cleanName: (sent) => cleanFilename(sent, ''),
    noRoomFor: (size, held) => noRoomFor(size, held, quota),
    maxFileSize: config.maxFileSize,
  });
  const shared = { ...swept, 'renditions that are due': async () => behind?.findLost() };
  await app.register(sweeping, { orphanedBlobs, sweepUploads: uploads.sweep, shared });
  app.onEnd('uploads', () => uploads.settled());
  // Hooks run last one first: what is still decoded is broken off, not waited for.
  app.onEnd('decoders', () => decoder.close());
  return { admission, orphanedBlobs, delivery, ingest, uploads };
}
