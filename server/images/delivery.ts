/** How stored bytes go out: originals to their owner, what is left of them to everybody, renditions. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { Storage } from '../storage/storage.ts';
import type { DecoderPool } from './decoder/pool.ts';
import { createDigests } from './digests.ts';
import { createOriginals } from './originals.ts';
import { createPublicOriginal } from './public-original.ts';
import { adoptDigest, renewImage } from './queries.ts';
import { rebuildRenditions } from './rebuild-renditions.ts';
import { createRenditionsOnDemand } from './renditions-on-demand.ts';

type Parts = {
  db: Database;
  storage: Storage;
  decoder: DecoderPool;
  log: FastifyBaseLogger;
  /** STRIP_LOCATION */
  strip: boolean;
};

export type Delivery = ReturnType<typeof createDelivery>;

export function createDelivery({ db, storage, decoder, log, strip }: Parts) {
  const digests = createDigests(storage);
  const rebuilding = { storage, decoder, digests, renewImage: renewImage.bind(undefined, db) };
  const renditions = createRenditionsOnDemand({
    storage,
    digests,
    rebuild: (row) => rebuildRenditions(rebuilding, row),
    adopt: (row, name, sha256) => adoptDigest(db, row.id, `${name}Sha256`, sha256),
  });
  const originals = createOriginals({ storage, digests, log });
  return { originals, renditions, publicOriginal: createPublicOriginal({ originals, renew: renditions.renew, strip }) };
}
