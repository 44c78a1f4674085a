import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import { UNOWNED } from '../../database/process-registry.ts';
import { decodeLimits } from '../../decoder/core/limits.ts';
import { createDecoder, type Decoder } from '../../decoder/decoder.ts';
import { isolationFor } from '../../decoder/isolation.ts';
import { createDecoderPool, type DecoderPool } from '../../decoder/pool/pool.ts';
import { createChecksumCache } from '../../images/checksum-cache.ts';
import { renewContent } from '../../images/content-queries.ts';
import { makeLateRenditions } from '../../renditions/late-renditions.ts';
import { rebuildRenditions } from '../../renditions/rebuild-renditions.ts';
import { filesOf } from '../../storage/backend.ts';
import { stagedBy } from '../../storage/staging.ts';
import type { Storage } from '../../storage/storage.ts';
import { orphanedBlobsOf } from './orphaned-blobs.ts';

type Rebuilder = {
  /** @param late rebuilds only these background renditions */
  rebuild(row: ImageRow, late?: { screen: boolean; avif: boolean }): Promise<ImageRow>;
  close(): Promise<void>;
};

function decodersOf(config: Config, process: bigint): DecoderPool {
  const { maxPixels, decoderIsolation, encryptionKey } = config;
  const folder = stagedBy(filesOf(config), process);
  const isolation = isolationFor({ folder, decoderIsolation });
  return createDecoderPool({ limits: decodeLimits(maxPixels), isolation, folder, wipe: encryptionKey !== undefined });
}

/** Rebuilds in this process's own decoders, which start with the first image. @param process number for staged files */
export function createRebuilder(
  db: Database,
  storage: Storage,
  config: Config,
  process: bigint,
  openDecoders = () => decodersOf(config, process),
): Rebuilder {
  let decoder: Decoder | undefined;
  const checksums = createChecksumCache(storage);
  // UNOWNED: it only reconciles rows that may have been deleted, and owns no orphaned blobs.
  const orphaned = orphanedBlobsOf({ db }, storage, UNOWNED);
  return {
    rebuild(row, late) {
      decoder ??= createDecoder(openDecoders());
      const renew = renewContent.bind(undefined, db);
      const parts = { storage, decoder, checksums, renewContent: renew, reconcile: orphaned.reconcile };
      return late ? makeLateRenditions(parts, row, late) : rebuildRenditions(parts, row);
    },
    close: async () => {
      await decoder?.close();
      await orphaned.reconcileAll();
    },
  };
}
