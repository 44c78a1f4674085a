import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import { UNOWNED } from '../../database/process-registry.ts';
import { decodeLimits } from '../../decoder/core/limits.ts';
import { createDecoder, type Decoder } from '../../decoder/decoder.ts';
import { isolationFor } from '../../decoder/isolation.ts';
import { createDecoderPool, type DecoderPool } from '../../decoder/pool/pool.ts';
import { createChecksumCache } from '../../images/checksum-cache.ts';
import type { BackgroundNeed } from '../../images/rendition-names.ts';
import { makeBackgroundRenditions, rebuildRenditions } from '../../renditions/rebuild-renditions.ts';
import { filesOf } from '../../storage/backend.ts';
import { stagedBy } from '../../storage/staging.ts';
import type { Storage } from '../../storage/storage.ts';
import { orphanedBlobsOf } from './orphaned-blobs.ts';

type Rebuilder = {
  /** @param need rebuilds only these background renditions */
  rebuild(row: ImageRow, need?: BackgroundNeed): Promise<ImageRow>;
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
  const orphanedBlobs = orphanedBlobsOf({ db }, storage, UNOWNED);
  return {
    rebuild(row, need) {
      decoder ??= createDecoder(openDecoders());
      const parts = { db, storage, decoder, checksums, orphanedBlobs };
      return need ? makeBackgroundRenditions(parts, row, need) : rebuildRenditions(parts, row);
    },
    close: async () => {
      await decoder?.close();
      await orphanedBlobs.reconcileAll();
    },
  };
}
