import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { filesOf } from '../storage/backend.ts';
import { stagedBy } from '../storage/staging.ts';
import { decodeLimits, LIGHT, MEMORY_BUDGET } from './core/limits.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { openIsolation } from './isolation.ts';
import { createDecoderPool, type DecoderPool } from './pool/pool.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For pictures that somebody waits for. */
    decoder: Decoder;
    /** One process at the lowest priority, for work that nobody waits for. */
    backgroundDecoder: Decoder;
  }
}

type Options = {
  config: Config;
  share: { decoders: number; of: (whole: number, least?: number) => number };
  /** Milliseconds for one picture. */
  decodeWithin?: number | undefined;
  /** Replaces the pool behind `app.decoder`, in benches and tests. */
  pool?: DecoderPool | undefined;
};

export const decoder = fp<Options>(
  async (app, { config, share, decodeWithin, pool }) => {
    const folder = stagedBy(filesOf(config), app.database.processRegistry.number);
    const { decoderIsolation, encryptionKey, maxPixels } = config;
    const options = {
      limits: decodeLimits(maxPixels, decodeWithin),
      workers: share.decoders,
      memory: share.of(MEMORY_BUDGET, LIGHT),
      isolation: await openIsolation(app, { folder, decoderIsolation }, app.monitoring.onIsolation),
      folder,
      wipe: encryptionKey !== undefined,
    };
    const open = (name: 'asked' | 'behind', decoders: DecoderPool) => {
      const opened = createDecoder(decoders, app.monitoring.traceDecode);
      const listener = app.monitoring.decodeListener(name);
      if (listener) opened.subscribe(listener);
      return opened;
    };
    const asked = open('asked', pool ?? createDecoderPool(options));
    const background = open(
      'behind',
      createDecoderPool({ ...options, workers: 1, nice: 19, killOnAbort: true, idleMs: 1_000 }),
    );
    app.shutdown.onClose('background decoders', () => background.close());
    app.shutdown.onClose('decoders', () => asked.close());
    app.decorate('decoder', asked);
    app.decorate('backgroundDecoder', background);
  },
  { name: 'decoder', dependencies: ['monitoring', 'graceful-shutdown', 'database'] },
);
