import type { ImageRow } from '../../drizzle/schema.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { nobody } from '../database/presence.ts';
import { renewContent } from '../images/content-queries.ts';
import { decodeLimits } from '../images/decoder/limits.ts';
import { createDecoderPool, type DecoderPool } from '../images/decoder/pool.ts';
import { withKnownFailures } from '../images/decoding.ts';
import { createDigests } from '../images/digests.ts';
import { rebuildRenditions } from '../images/rebuild-renditions.ts';
import type { Storage } from '../storage/storage.ts';
import { looseBytesOf } from './loose-bytes.ts';

export type Rebuilder = { rebuild(row: ImageRow): Promise<ImageRow>; close(): Promise<void> };

/** Makes renditions anew in this process's own decoders, which are started when the first one is wanted. */
export function createRebuilder(db: Database, storage: Storage, { maxPixels }: Config): Rebuilder {
  let decoder: DecoderPool | undefined;
  const digests = createDigests(storage);
  // At nothing that is loose under any name: it only asks for rows that may have gone.
  const loose = looseBytesOf({ db }, storage, nobody);
  return {
    rebuild(row) {
      decoder ??= withKnownFailures(createDecoderPool({ limits: decodeLimits(maxPixels) }));
      const renew = renewContent.bind(undefined, db);
      return rebuildRenditions({ storage, decoder, digests, renewContent: renew, doubt: loose.doubt }, row);
    },
    close: async () => {
      await decoder?.close();
      await loose.settle();
    },
  };
}
