import type { RouteOptions } from 'fastify';
import type { Launched } from './database/embedded/early-launch.ts';
import type { DecoderPool } from './decoder/pool/pool.ts';
import type { TurnLimits } from './http/limits/turns.ts';
import type { HttpOptions } from './http/plugin.ts';
import type { AdmissionLimits } from './ingest/admission.ts';

/** What tests and benches replace. */
export type AppOptions = HttpOptions & {
  /** The embedded Postgres, if it was started before this module was loaded. */
  launched?: Launched | undefined;
  /** Whether this process logs the warnings that concern all workers (workers/child.ts). */
  isFirstWorker?: boolean;
  /** Whether it prints the link of the first administrator. */
  announcesClaim?: boolean;
  turns?: Partial<TurnLimits>;
  admission?: Partial<AdmissionLimits>;
  /** Milliseconds without a picture to decode until background work begins. */
  idleAfter?: number;
  /** Milliseconds for decoding one picture. */
  decodeWithin?: number;
  decoder?: DecoderPool;
  onRoute?: (route: RouteOptions) => void;
};
