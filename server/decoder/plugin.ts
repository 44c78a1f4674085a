import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { filesOf } from '../storage/backend.ts';
import { stagedBy } from '../storage/staging.ts';
import { decodeLimits, LIGHT, MEMORY_BUDGET } from './core/limits.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { createDecoderHealth, type DecoderHealth } from './health.ts';
import { isolationFor, namedIsolation, refusalToStart } from './isolation.ts';
import { CannotDecode, withTrialPicture } from './pool/choose-isolation.ts';
import { createDecoderPool, type DecoderPool } from './pool/pool.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For pictures that somebody waits for. */
    decoder: Decoder;
    /** One process at the lowest priority, for work that nobody waits for. */
    backgroundDecoder: Decoder;
    decoderHealth: Pick<DecoderHealth, 'isWorking'>;
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
    const choose = namedIsolation(app.log, isolationFor({ folder, decoderIsolation }), app.monitoring.onIsolation);
    const options = {
      limits: decodeLimits(maxPixels, decodeWithin),
      workers: share.decoders,
      memory: share.of(MEMORY_BUDGET, LIGHT),
      isolation: choose,
      folder,
      wipe: encryptionKey !== undefined,
    };
    const decodeTrial = () => withTrialPicture(folder, (path) => background.decode(path));
    const health = createDecoderHealth(app.log, decodeTrial);
    const open = (name: 'asked' | 'behind', decoders: DecoderPool) => {
      const opened = createDecoder(decoders, app.monitoring.traceDecode);
      const listener = app.monitoring.decodeListener(name);
      if (listener) opened.subscribe(listener);
      opened.subscribe(health.listener);
      return opened;
    };
    const asked = open('asked', pool ?? createDecoderPool(options));
    const background = open(
      'behind',
      createDecoderPool({ ...options, workers: 1, nice: 19, killOnAbort: true, idleMs: 1_000 }),
    );
    const onFailedTrial = (error: unknown) => {
      if (!(error instanceof CannotDecode && error.ofStorage)) throw refusalToStart(error);
      // With a full disk, the server starts nevertheless: pictures can be viewed and deleted.
      health.unavailable(error);
    };
    // Runs while the rest of the app is built. The server does not listen before a decoder has decoded a picture.
    const trial = pool ? Promise.resolve(health.worked()) : choose().then(health.worked, onFailedTrial);
    trial.catch(() => undefined); // onReady reports it
    app.addHook('onReady', () => trial);
    app.shutdown.onClose('background decoders', () => background.close());
    app.shutdown.onClose('decoders', () => asked.close());
    app.shutdown.onClose('trial of decoders', async () => {
      health.close();
      await trial.catch(() => undefined);
    });
    app.decorate('decoder', asked);
    app.decorate('backgroundDecoder', background);
    app.decorate('decoderHealth', health);
  },
  { name: 'decoder', dependencies: ['monitoring', 'graceful-shutdown', 'database'] },
);
