/**
 * Runs the jobs of a queue one by one. pg-boss's own `work` loses errors of recording an outcome, and supports neither an
 * idle gate nor aborted jobs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { type Boss, inside } from './boss.ts';

export type Job = { id: string; data: unknown };

export type Work = {
  name: string;
  /** Seconds after which another process may take the job. It is aborted after 80 % of them. */
  expireIn: number;
  retries: number;
  /** Seconds before the first retry, doubled for each further one. */
  retryAfter: number;
  /** Seconds between the recurring jobs of this queue, over all processes. */
  every?: number;
  /** Resolves when a job may start. Its signal aborts the job, which runs again later. */
  when?: () => Promise<AbortSignal>;
  /** Whether a failure counts as a try of the job, not as one of database or storage. Default: yes. */
  isOwn?: (error: unknown) => boolean;
  /** Must be safe to repeat. @param signal aborts the job */
  run: (job: Job, signal: AbortSignal) => Promise<void>;
};

type Parts = {
  boss: Boss;
  client: postgres.Sql;
  log: Record<'warn' | 'error', (details: object, message: string) => void>;
  closing: AbortSignal;
  /** Milliseconds. */
  pollEvery: number;
};

type Taken = Job & { priority: number; retryCount: number; retryLimit: number };

export type Worker = { wake(): void; ended(): Promise<void> };

/** Combines signals; `release` removes the listeners from these longer-lived signals. */
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

  /** Returns a job to the queue as if it had never been taken. */
  async function putBack({ id, data, priority }: Taken): Promise<void> {
    await client.begin(async (tx) => {
      await boss.deleteJob(name, id, { db: inside(tx) });
      await boss.insert([{ name, id, priority, data: data as object }], { db: inside(tx) });
    });
  }

  /** Keeps a completed recurring job, so that other processes do not queue it again. */
  const done = async ({ id }: Taken) => void (await (work.every ? boss.complete(name, id) : boss.deleteJob(name, id)));

  async function fail(job: Taken, error: unknown): Promise<void> {
    await boss.fail(name, job.id, error instanceof Error ? { name: error.name, message: error.message } : { error });
    log.warn({ err: error, job: job.id, tries: job.retryCount + 1 }, `a job of the queue "${name}" failed`);
  }

  /** @returns whether there may be more jobs @throws failures that are not the job's own, after putting it back */
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
        log.warn({ err }, `the queue "${name}" stopped at an error; retrying`);
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
