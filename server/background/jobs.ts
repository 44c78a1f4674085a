/**
 * Background jobs shared by all processes of a database, in pg-boss queues. Each job runs at least once, in one process at a
 * time; the expired job of a dead process is taken by another.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { codeOf, messageOf } from '../database/start-error.ts';
import { type Boss, createBoss, jobsSchema, makeQueues } from './boss.ts';
import { createWorker, type Job, type Work, type Worker } from './worker.ts';

export type { Job, Work } from './worker.ts';

type Log = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

export type JobsParts = {
  client: postgres.Sql;
  log: Log;
  /** Milliseconds. */
  pollEvery?: number;
};

/** An `id` that is already in the queue is not queued again. */
export type Sent = { id: string; data?: object; priority?: number };

export type Jobs = ReturnType<typeof createJobs>;

/** Maximum milliseconds of a stop. */
const patience = 2_000;

/** The dead-letter queue: logs jobs that failed for good, except recurring ones. */
const dead: Work = { name: 'dead', expireIn: 60, retries: 2, retryAfter: 60, run: async () => undefined };

const queueOf = ({ name, expireIn, retries, retryAfter, every }: Work) => ({
  name,
  policy: 'standard' as const,
  expireInSeconds: expireIn,
  retryLimit: retries,
  retryDelay: retryAfter,
  retryBackoff: true,
  ...(name === dead.name || every ? {} : { deadLetter: dead.name }),
});

export function createJobs({ client, log, pollEvery = 60_000 }: JobsParts) {
  const closing = new AbortController();
  const works: Work[] = [];
  const workers = new Map<string, Worker>();
  const timers = new Set<NodeJS.Timeout>();
  let boss: Boss | undefined;
  let starting: Promise<void> | undefined;
  let told: string | undefined;

  async function tellDead({ data }: Job): Promise<void> {
    log.error({ data }, 'a job failed for good; its work is queued again after a day');
  }

  async function open(): Promise<Boss> {
    const fresh = await createBoss(client, (err) => log.warn({ err }, 'queue maintenance failed; retrying'));
    await fresh.start();
    try {
      await makeQueues(client, [dead, ...works].map(queueOf));
    } catch (error) {
      await fresh.stop({ graceful: false });
      throw error;
    }
    return fresh;
  }

  /** Logs a repeated failure once. */
  function tellFailure(err: unknown): void {
    const line =
      codeOf(err) === '42501'
        ? `background jobs are off: the database's user may not create the schema "${jobsSchema}" (${messageOf(err)}); ` +
          'GRANT CREATE ON DATABASE, or make it the owner'
        : 'background jobs did not start; retrying each minute';
    if (line !== told) log.error({ err }, line);
    told = line;
  }

  async function sendEvery({ name, every = 60 }: Work): Promise<void> {
    const slot = { name, singletonKey: 'every', singletonSeconds: every };
    await boss?.insert([slot]).catch((err) => log.warn({ err }, `the recurring job "${name}" was not queued`));
    workers.get(name)?.wake();
  }

  function begin(ready: Boss): void {
    const parts = { boss: ready, client, log, closing: closing.signal, pollEvery };
    for (const work of works) {
      workers.set(work.name, createWorker(work, parts));
      if (!work.every) continue;
      timers.add(setInterval(() => void sendEvery(work), work.every * 1000).unref());
      void sendEvery(work);
    }
    workers.set(dead.name, createWorker({ ...dead, run: tellDead }, parts));
    for (const worker of workers.values()) worker.wake();
  }

  async function tryToStart(): Promise<void> {
    try {
      const ready = await open();
      if (closing.signal.aborted) return void (await ready.stop({ graceful: false }));
      boss = ready;
      begin(ready);
    } catch (error) {
      if (closing.signal.aborted) return;
      tellFailure(error);
      timers.add(setTimeout(retry, 60_000).unref());
    }
  }

  function retry(): void {
    starting = tryToStart();
  }

  return {
    /** Registers the work of a queue; call before `start`. */
    work: (work: Work): void => void works.push(work),

    /** Resolves once the queues exist or the failure is logged; failures are retried each minute. */
    start(): Promise<void> {
      if (!starting) retry();
      return starting ?? Promise.resolve();
    },

    /** Whether the queues exist. Otherwise sent jobs are lost, and their work must be found through the rows. */
    isReady: (): boolean => boss !== undefined,

    /** Never throws; the work of lost jobs must be found through the rows. */
    async send(name: string, jobs: Sent[]): Promise<void> {
      if (jobs.length === 0 || !boss || closing.signal.aborted) return;
      try {
        // The dead-letter queue logs the queue's name.
        await boss.insert(jobs.map((job) => ({ name, ...job, data: { queue: name, ...job.data } })));
        workers.get(name)?.wake();
      } catch (err) {
        log.warn({ err, jobs: jobs.length }, `jobs for the queue "${name}" were lost; their work is found later`);
      }
    },

    async depth(name: string): Promise<number> {
      return (await boss?.getQueueSize(name, { before: 'completed' })) ?? 0;
    },

    /** Expires jobs of dead processes; pg-boss does this each minute. */
    maintain: async (): Promise<void> => void (await boss?.maintain()),

    /** Takes no more jobs, aborts running ones and returns them to their queue. */
    stop(): void {
      closing.abort(new Error('the server stops'));
      for (const timer of timers) clearTimeout(timer);
    },

    /** Resolves when all jobs are back in their queue, or after a time limit; the rest expire. */
    async close(): Promise<void> {
      this.stop();
      const ended = Promise.all([...workers.values()].map((worker) => worker.ended()));
      await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
      await boss?.stop({ graceful: false });
    },
  };
}
