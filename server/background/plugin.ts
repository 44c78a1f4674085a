import fp from 'fastify-plugin';
import { createJobs, type Jobs } from './jobs.ts';
import { sweeps } from './sweeps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Background jobs, shared by all processes. */
    jobs: Jobs;
  }
}

/** Milliseconds after the server listens, so that waiting clients come first. */
const later = 500;

export const background = fp(
  async (app) => {
    const queues = createJobs({ client: app.db.$client, log: app.log });
    app.decorate('jobs', queues);
    let timer: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      timer = setTimeout(() => void queues.start(), later).unref();
    });
    app.onStop(() => {
      clearTimeout(timer);
      queues.stop();
    });
    app.onEnd('background work', () => queues.close());
    await app.register(sweeps);
  },
  { name: 'background', dependencies: ['graceful-shutdown', 'database', 'storage', 'images'] },
);
