/**
 * WORKERS=n: n processes on one port. The primary serves nothing: it forks them, passes signals on, and starts anew what
 * died, the sooner the longer it had lived. SIGHUP replaces them one by one, each by one that listens already.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export type PrimaryOptions = {
  workers: number;
  say: (line: string) => void;
  /** Told when the first one listens. */
  onListening: () => void;
  /** Milliseconds after which, at a stop, what still runs is killed. */
  deadline?: number;
};

/** Milliseconds before one that ended by itself is started again: doubled each time, until one lives long enough. */
const shortestPause = 250;
const longestPause = 30_000;
const longLife = 60_000;

type Ended = { code: number | null; signal: string | null };

const endOf = async (worker: Worker): Promise<Ended> => {
  const [code, signal] = await once(worker, 'exit');
  return { code, signal };
};

const reasonOf = ({ code, signal }: Ended) => signal ?? `exit code ${code}`;

/** @returns once all have ended: the exit code for this process */
export async function runPrimary({ workers, say, onListening, deadline = 20_000 }: PrimaryOptions): Promise<number> {
  const stopping = new AbortController();
  /** Not `worker.kill`, which cuts the channel first: a worker takes that for the primary's end. */
  const tellAll = (signal: NodeJS.Signals) => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  const retired = new Set<Worker>();
  const places = new Set<Promise<void>>();
  let worst = 0;

  function stop(): void {
    const isSecond = stopping.signal.aborted;
    stopping.abort();
    tellAll(isSecond ? 'SIGKILL' : 'SIGTERM');
    setTimeout(() => tellAll('SIGKILL'), deadline).unref();
  }

  /** Keeps one worker alive, in this place, until the stop or until it is retired. */
  async function keep(first: Worker, ended = endOf(first)): Promise<void> {
    let born = Date.now();
    for (let worker = first, pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
      const end = await ended;
      if (retired.delete(worker)) return;
      if (stopping.signal.aborted) {
        if (end.code !== 0) worst ||= end.code ?? 1;
        return;
      }
      if (Date.now() - born > longLife) pause = shortestPause;
      say(
        `A worker (pid ${worker.process.pid}) ended by itself (${reasonOf(end)}); another is started in ${pause} ms.`,
      );
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      born = Date.now();
      worker = cluster.fork();
      ended = endOf(worker);
    }
  }

  function settle(worker: Worker): void {
    const place = keep(worker).finally(() => places.delete(place));
    places.add(place);
  }

  /** @returns why it does not listen, where it ended instead */
  async function listens(worker: Worker): Promise<Ended | undefined> {
    const over = new AbortController();
    const { signal } = over;
    const listening = once(worker, 'listening', { signal }).then(() => undefined);
    const ended = once(worker, 'exit', { signal }).then(([code, cause]): Ended => ({ code, signal: cause }));
    return Promise.race([listening, ended]).finally(() => {
      over.abort();
      return Promise.allSettled([listening, ended]);
    });
  }

  async function replaceAll(): Promise<void> {
    const old = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    say(`Replacing ${old.length} workers, one by one.`);
    for (const worker of old) {
      const next = cluster.fork();
      const failure = await listens(next);
      if (stopping.signal.aborted) {
        if (!failure) settle(next);
        return;
      }
      if (failure) return say(`The new worker does not start (${reasonOf(failure)}): the old ones stay.`);
      settle(next);
      if (worker.isDead()) continue;
      retired.add(worker);
      const gone = endOf(worker);
      // Its connections end with their next answers, rather than at once.
      worker.send('retire');
      await gone;
    }
    say('All workers are replaced.');
  }

  let replacing: Promise<void> | undefined;
  process.on('SIGTERM', stop);
  // The supervisor has got the terminal's Ctrl-C too, and passes it on as SIGTERM; when it is gone, all of this ends.
  if (process.connected) process.on('SIGINT', () => undefined).on('disconnect', stop);
  else process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    if (stopping.signal.aborted) return;
    replacing ??= replaceAll().finally(() => {
      replacing = undefined;
    });
  });

  // One first: what is wrong with the settings is told once, and the tables are brought up to date once.
  const first = cluster.fork();
  const failure = await listens(first);
  if (failure) return failure.code ?? 1;
  settle(first);
  if (!stopping.signal.aborted) onListening();
  for (let count = 1; count < workers && !stopping.signal.aborted; count += 1) settle(cluster.fork());
  while (places.size > 0) await Promise.all(places);
  await replacing;
  return worst;
}
