/** Clears away what killed processes and failed steps left behind: at the start and once a minute. */
import fp from 'fastify-plugin';
import type { LooseBytes } from './loose-bytes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sweeps now; never throws. */
    sweep(): Promise<void>;
  }
}

const minute = 60_000;

export const sweeping = fp<{ looseBytes: LooseBytes; sweepUploads: () => Promise<void> }>(
  async (app, { looseBytes, sweepUploads }) => {
    let running: Promise<void> | undefined;

    const sweep = async () => {
      try {
        await app.storage.sweep(app.presence.isAlive);
        const images = await looseBytes.sweep();
        if (images > 0) app.log.info({ images }, 'removed bytes that no row names');
        await sweepUploads();
      } catch (err) {
        app.log.warn({ err }, 'what was left behind is not swept; the next minute tries again');
      } finally {
        running = undefined;
      }
    };
    const sweepOnce = () => {
      running ??= sweep();
      return running;
    };

    app.decorate('sweep', sweepOnce);
    const timer = setInterval(sweepOnce, minute).unref();
    app.addHook('onReady', sweepOnce);
    app.addHook('onClose', async () => {
      clearInterval(timer);
      await running;
    });
  },
  { name: 'sweeping', dependencies: ['database', 'storage'] },
);
