/** Serves stored bytes: originals to their owner, public originals and renditions to anyone with the link. */
import type { FastifyBaseLogger } from 'fastify';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import type { RenditionsOnDemand } from '../renditions/on-demand.ts';
import type { Storage } from '../storage/storage.ts';
import { createOriginals } from './originals.ts';
import { createPublicOriginal } from './public-original.ts';
import { redactedTags } from './redacted-tag.ts';
import { createRenditionBytes } from './rendition-bytes.ts';

type Parts = {
  storage: Storage;
  checksums: ChecksumCache;
  renditions: RenditionsOnDemand;
  log: FastifyBaseLogger;
  /** STRIP_LOCATION */
  strip: boolean;
  /** Shared by all servers of this gallery. */
  secret: string;
};

export type Delivery = ReturnType<typeof createDelivery>;

export function createDelivery({ storage, checksums, renditions, log, strip, secret }: Parts) {
  const originals = createOriginals({ storage, checksums, log });
  const ofPublic = { originals, checksums, renew: renditions.renew, tagOf: redactedTags(secret) };
  return {
    originals,
    rendition: createRenditionBytes({ storage, checksums, ready: renditions.ready }),
    publicOriginal: createPublicOriginal({ ...ofPublic, strip }),
    /** Without sensitive metadata, whatever STRIP_LOCATION is. */
    redactedOriginal: createPublicOriginal({ ...ofPublic, strip: true }),
  };
}
