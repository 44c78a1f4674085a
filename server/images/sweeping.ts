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

type Options = { looseBytes: LooseBytes; sweepUploads: (closing: AbortSignal) => Promise<void> };

export const sweeping = fp<Options>(
  async (app, { looseBytes, sweepUploads }) => {
    const closing = new AbortController();
    let running: Promise<void> | undefined;

    /** What fails by itself keeps nothing else from being swept. */
    const attempt = (what: string, work: () => Promise<void>) =>
      work().catch((err) => app.log.warn({ err }, `${what} are not swept; the next minute tries again`));

    const sweepBytes = async () => {
      await attempt('files that were left on their way', () => app.storage.sweep(app.presence.isAlive));
      await attempt('bytes that no row names', async () => {
        const images = await looseBytes.sweep();
        if (images > 0) app.log.info({ images }, 'removed bytes that no row names');
      });
    };
    const sweep = () => {
      running ??= sweepBytes()
        .then(() => attempt('uploads', () => sweepUploads(closing.signal)))
        .finally(() => {
          running = undefined;
        });
      return running;
    };

    app.decorate('sweep', sweep);
    const timer = setInterval(sweep, minute).unref();
    // Without the uploads: those that were left whole are decoded, and nobody waits for that at the start.
    app.addHook('onReady', sweepBytes);
    app.addHook('preClose', async () => {
      clearInterval(timer);
      closing.abort();
    });
    app.addHook('onClose', async () => {
      await running;
    });
  },
  { name: 'sweeping', dependencies: ['database', 'storage'] },
);
