/**
 * Removes what killed processes and failed steps left, at the start and once a minute. Each process sweeps its own files;
 * one process sweeps the shared ones through the queues, or every process without queues.
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

/** One job id for all purges, so that only one waits. */
const purgeId = 'c0a8b5c6-7f0e-4b6e-9d0e-2f6f5a1d3b07';

type Task = (closing: AbortSignal) => Promise<unknown>;

export const sweeps = fp(
  async (app) => {
    const { jobs, log } = app;
    const { orphanedBlobs } = app.images;
    const shared: { what: string; task: Task }[] = [];
    const closing = new AbortController();
    let running: Promise<void> | undefined;

    /** Logs a failure, so that the other sweeps continue. */
    const attempt = (what: string, work: () => Promise<unknown>) =>
      work().then(
        () => undefined,
        (err) => log.warn({ err }, `sweep of ${what} failed; retrying in a minute`),
      );

    const sweepFiles = () => attempt('stale staging files', () => app.storage.sweep(app.presence.isAlive));
    const sweepBytes = (remove: () => Promise<number>) =>
      attempt('orphaned blobs', async () => {
        const images = await remove();
        if (images > 0) log.info({ images }, 'removed orphaned blobs');
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
      // The next sweep purges the rest of an aborted one.
      expireIn: 300,
      retries: 4,
      // Retried only after its process died, because no failure counts as its own.
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
        await attempt('orphaned blobs of dead processes', async () => {
          if (await orphanedBlobs.hasDead()) await purge();
        });
        await sweepShared(signal);
      },
    });

    app.decorate('sweeps', { add: (what, task) => void shared.push({ what, task }), run: sweep, purge });
    const timer = setInterval(() => void (jobs.isReady() ? sweepOwn() : sweep()), minute).unref();
    // Without the shared tasks: complete uploads would be decoded and delay the start.
    app.addHook('onReady', sweepAllBytes);
    app.onStop(() => {
      clearInterval(timer);
      closing.abort();
    });
    app.onEnd('sweep', () => running);
  },
  { name: 'sweeps', dependencies: ['graceful-shutdown', 'database', 'storage', 'images'] },
);
