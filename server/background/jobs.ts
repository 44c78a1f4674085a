/**
 * Work that nobody waits for, shared by all processes of one database: queues by pg-boss. Each job is done at least once,
 * by one process at a time; what dies with it is taken by another when it has expired.
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
  /** Milliseconds after which a queue is looked at without being told. */
  pollEvery?: number;
};

/** `id` is the job's for as long as it is in its queue: sent again meanwhile, it is not queued twice. */
export type Sent = { id: string; data?: object; priority?: number };

export type Jobs = ReturnType<typeof createJobs>;

/** Milliseconds of a stop. */
const patience = 2_000;

/** Where jobs go that failed for good, save those that are due again in any case: they are told in the log. */
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
    log.error({ data }, 'a job failed for good; what it was for is tried again in a day');
  }

  async function open(): Promise<Boss> {
    const fresh = await createBoss(client, (err) => log.warn({ err }, 'the queues are not looked after; tried again'));
    await fresh.start();
    try {
      await makeQueues(client, [dead, ...works].map(queueOf));
    } catch (error) {
      await fresh.stop({ graceful: false });
      throw error;
    }
    return fresh;
  }

  /** The same line once, however often it is tried. */
  function tellFailure(err: unknown): void {
    const line =
      codeOf(err) === '42501'
        ? `background work stands still: the database's user may not make the schema "${jobsSchema}" (${messageOf(err)}); ` +
          'GRANT CREATE ON DATABASE, or make it the owner'
        : 'background work cannot begin; it is tried again each minute';
    if (line !== told) log.error({ err }, line);
    told = line;
  }

  async function sendEvery({ name, every = 60 }: Work): Promise<void> {
    const slot = { name, singletonKey: 'every', singletonSeconds: every };
    await boss?.insert([slot]).catch((err) => log.warn({ err }, `the queue "${name}" is not given its work`));
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
    /** What this process does of a queue. Before the start. */
    work: (work: Work): void => void works.push(work),

    /** Resolves once the queues are there, or it is told why not; then it is tried again each minute. */
    start(): Promise<void> {
      if (!starting) retry();
      return starting ?? Promise.resolve();
    },

    /** Whether the queues are there: where not, what is sent is lost, and has to be found again by what the rows say. */
    isReady: (): boolean => boss !== undefined,

    /** Never throws: what is lost has to be found again by what the rows say. */
    async send(name: string, jobs: Sent[]): Promise<void> {
      if (jobs.length === 0 || !boss || closing.signal.aborted) return;
      try {
        // The queue's name for whoever tells of those that failed for good.
        await boss.insert(jobs.map((job) => ({ name, ...job, data: { queue: name, ...job.data } })));
        workers.get(name)?.wake();
      } catch (err) {
        log.warn({ err, jobs: jobs.length }, `what was for the queue "${name}" is found later`);
      }
    },

    /** Jobs that wait in a queue, or are being done. */
    async depth(name: string): Promise<number> {
      return (await boss?.getQueueSize(name, { before: 'completed' })) ?? 0;
    },

    /** Takes what has expired from whoever had it, as one process does each minute. */
    maintain: async (): Promise<void> => void (await boss?.maintain()),

    /** Takes nothing up any more, and breaks off what is being done; it goes back into its queue. */
    stop(): void {
      closing.abort(new Error('the server stops'));
      for (const timer of timers) clearTimeout(timer);
    },

    /** Resolves when all is back in its queue; with a database that hangs it is left there, and expires. */
    async close(): Promise<void> {
      this.stop();
      const ended = Promise.all([...workers.values()].map((worker) => worker.ended()));
      await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
      await boss?.stop({ graceful: false });
    },
  };
}
