import fp from 'fastify-plugin';
import { createExpirySweep } from './expired-images.ts';
import { createSweeps, type Sweeps } from './sweeps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    sweeps: Sweeps;
  }
}

const minute = 60_000;

/** Milliseconds after the server listens, so that waiting clients come first. */
const later = 500;

export const background = fp(
  async (app) => {
    const { db, log, storage } = app;
    const { isAlive } = app.database.processRegistry;
    const { orphanedBlobs } = app.images;
    const sweeps = createSweeps({ db, log, orphanedBlobs, sweepFiles: () => storage.sweep(isAlive) });
    sweeps.add('expired images', createExpirySweep({ db, deletion: app.images.delete, log }));
    app.decorate('sweeps', sweeps);
    // Everything else may take long after a start: the bytes of a large deleted account, uploads that must be decoded.
    app.addHook('onReady', sweeps.sweepOwn);
    let first: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      first = setTimeout(() => {
        // The lease of a server that was killed has not expired yet.
        void sweeps.purge();
        void sweeps.sweepShared();
      }, later).unref();
    });
    const timer = setInterval(() => {
      void sweeps.sweepOwn();
      void sweeps.sweepShared();
    }, minute).unref();
    app.shutdown.onStop(() => {
      clearTimeout(first);
      clearInterval(timer);
      sweeps.stop();
    });
    app.shutdown.onClose('sweep', sweeps.settled);
  },
  { name: 'background', dependencies: ['graceful-shutdown', 'database', 'storage', 'images'] },
);
