/**
 * Takes jobs of one queue, one after another. Not by pg-boss's own `work`, which lets a failure to write down an outcome pass
 * to nobody, and knows neither a right moment nor a job that is broken off.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { type Boss, inside } from './boss.ts';

export type Job = { id: string; data: unknown };

export type Work = {
  name: string;
  /** Seconds after which a job is anybody's again: its process is taken for dead. It is broken off well before. */
  expireIn: number;
  /** How often it is tried again where it fails, and seconds before the first time; twice as long before each further one. */
  retries: number;
  retryAfter: number;
  /** Seconds between two jobs that the processes give this queue together, one at a time. */
  every?: number;
  /** Resolves when one may be taken up. The signal breaks it off: it is done later. */
  when?: () => Promise<AbortSignal>;
  /** Whether a failure is the job's own; else it is the database's or the storage's, and is not counted. By default it is. */
  isOwn?: (error: unknown) => boolean;
  /** May be done twice. @param signal aborted where it has to be broken off */
  run: (job: Job, signal: AbortSignal) => Promise<void>;
};

type Parts = {
  boss: Boss;
  client: postgres.Sql;
  log: Record<'warn' | 'error', (details: object, message: string) => void>;
  closing: AbortSignal;
  /** Milliseconds after which it looks again by itself. */
  pollEvery: number;
};

type Taken = Job & { priority: number; retryCount: number; retryLimit: number };

export type Worker = { wake(): void; ended(): Promise<void> };

/** A signal aborted by any of these, and how to let go of them: they live longer than it. */
function anyOf(...signals: (AbortSignal | undefined)[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const abort = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const each of signals) {
    if (each?.aborted) controller.abort(each.reason);
    each?.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const each of signals) each?.removeEventListener('abort', abort);
    },
  };
}

export function createWorker(work: Work, { boss, client, log, closing, pollEvery }: Parts): Worker {
  const { name } = work;
  let isRunning = false;
  let isTold = false;
  let running: Promise<void> = Promise.resolve();

  /** As if nobody had taken it. */
  async function putBack({ id, data, priority }: Taken): Promise<void> {
    await client.begin(async (tx) => {
      await boss.deleteJob(name, id, { db: inside(tx) });
      await boss.insert([{ name, id, priority, data: data as object }], { db: inside(tx) });
    });
  }

  /** What is done every so often stays, so that the others see that it was done. */
  const done = async ({ id }: Taken) => void (await (work.every ? boss.complete(name, id) : boss.deleteJob(name, id)));

  async function fail(job: Taken, error: unknown): Promise<void> {
    await boss.fail(name, job.id, error instanceof Error ? { name: error.name, message: error.message } : { error });
    log.warn({ err: error, job: job.id, tries: job.retryCount + 1 }, `a job of the queue "${name}" failed`);
  }

  /** @returns whether there may be more @throws what is not the job's own; then it has been put back */
  async function takeNext(): Promise<boolean> {
    const gate = await work.when?.();
    if (closing.aborted) return false;
    if (gate?.aborted) return true;
    const [job] = (await boss.fetch(name, { includeMetadata: true })) as Taken[];
    if (!job) return false;
    const bound = new AbortController();
    const timer = setTimeout(() => bound.abort(new Error('it takes too long')), work.expireIn * 800).unref();
    const { signal, release } = anyOf(gate, closing, bound.signal);
    try {
      await work.run(job, signal);
      await done(job);
    } catch (error) {
      const isOwn = bound.signal.aborted || (work.isOwn?.(error) ?? true);
      if (gate?.aborted || closing.aborted || !isOwn) await putBack(job);
      else await fail(job, error);
      if (!isOwn && !signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      release();
    }
    return true;
  }

  async function takeAll(): Promise<void> {
    do {
      isTold = false;
      while (await takeNext());
    } while (isTold && !closing.aborted);
  }

  function wake(): void {
    isTold = true;
    if (isRunning || closing.aborted) return;
    isRunning = true;
    running = takeAll()
      .catch(async (err: unknown) => {
        if (closing.aborted) return;
        log.warn({ err }, `the queue "${name}" stands still; it is tried again`);
        await sleep(pollEvery, undefined, { signal: closing }).catch(() => undefined);
      })
      .finally(() => {
        isRunning = false;
        if (isTold) wake();
      });
  }

  const timer = setInterval(wake, pollEvery).unref();
  closing.addEventListener('abort', () => clearInterval(timer), { once: true });
  return { wake, ended: () => running };
}
