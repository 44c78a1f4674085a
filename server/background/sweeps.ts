/**
 * Clears away what killed processes and failed steps left behind: at the start, and once a minute. What is this process's own
 * it clears by itself; what is everybody's, one process does for all, by the queues; where there are none, each.
 */
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    sweeps: {
      /** Adds a task that one process runs for all, once a minute. @param what it sweeps, for the log */
      add(what: string, task: Task): void;
      /** Runs all sweeps now; never throws. */
      run(): Promise<void>;
      /** Removes the bytes of processes that have ended; never throws. */
      purge(): Promise<void>;
    };
  }
}

const minute = 60_000;

/** Of all purges: one waits at a time. */
const purgeId = 'c0a8b5c6-7f0e-4b6e-9d0e-2f6f5a1d3b07';

type Task = (closing: AbortSignal) => Promise<unknown>;

export const sweeps = fp(
  async (app) => {
    const { jobs, log } = app;
    const { orphanedBlobs } = app.images;
    const shared: { what: string; task: Task }[] = [];
    const closing = new AbortController();
    let running: Promise<void> | undefined;

    /** What fails by itself keeps nothing else from being swept. */
    const attempt = (what: string, work: () => Promise<unknown>) =>
      work().then(
        () => undefined,
        (err) => log.warn({ err }, `${what} are not swept; the next minute tries again`),
      );

    const sweepFiles = () =>
      attempt('files that were left on their way', () => app.storage.sweep(app.presence.isAlive));
    const sweepBytes = (remove: () => Promise<number>) =>
      attempt('bytes that no row names', async () => {
        const images = await remove();
        if (images > 0) log.info({ images }, 'removed bytes that no row names');
      });
    const sweepAllBytes = async () => {
      await sweepFiles();
      await sweepBytes(orphanedBlobs.sweep);
    };

    const sweepShared = async (signal: AbortSignal) => {
      for (const { what, task } of shared) {
        if (!signal.aborted) await attempt(what, () => task(signal));
      }
    };

    /** One at a time. */
    const once = (work: () => Promise<void>) => {
      running ??= work().finally(() => {
        running = undefined;
      });
      return running;
    };
    const sweep = () =>
      once(async () => {
        await sweepAllBytes();
        await sweepShared(closing.signal);
      });
    const sweepOwn = () =>
      once(async () => {
        await sweepFiles();
        await sweepBytes(orphanedBlobs.sweepOwn);
      });

    const purge = async () => {
      if (jobs.isReady()) await jobs.send('purge', [{ id: purgeId }]);
      else await sweep();
    };
    jobs.work({
      name: 'purge',
      // What is left when it is broken off, the next sweep has purged.
      expireIn: 300,
      retries: 4,
      // Never for a failure of its own, only where its process died.
      retryAfter: 5,
      isOwn: () => false,
      run: (_job, signal) => sweepBytes(() => orphanedBlobs.sweepDead(signal)),
    });
    jobs.work({
      name: 'sweep',
      every: 60,
      expireIn: 300,
      retries: 0,
      retryAfter: 0,
      async run(_job, signal) {
        await attempt('bytes of processes that have ended', async () => {
          if (await orphanedBlobs.hasDead()) await purge();
        });
        await sweepShared(signal);
      },
    });

    app.decorate('sweeps', { add: (what, task) => void shared.push({ what, task }), run: sweep, purge });
    const timer = setInterval(() => void (jobs.isReady() ? sweepOwn() : sweep()), minute).unref();
    // Without the uploads: those that were left whole are decoded, and nobody waits for that at the start.
    app.addHook('onReady', sweepAllBytes);
    app.onStop(() => {
      clearInterval(timer);
      closing.abort();
    });
    app.onEnd('sweep', () => running);
  },
  { name: 'sweeps', dependencies: ['graceful-shutdown', 'database', 'storage', 'images'] },
);
