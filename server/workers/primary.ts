/**
 * WORKERS=n: n processes on one port. The primary serves no requests: it forks the workers, forwards signals and restarts
 * workers that exit. SIGHUP replaces them one by one; a new worker listens before the old one stops.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { throttledWarning } from '../lib/throttled-warning.ts';
import { serveMetrics } from '../monitoring/metrics-server.ts';
import { type Child, type Ended, fork } from './child.ts';
import { createRestartPauses } from './restart-pauses.ts';

export type PrimaryOptions = {
  workers: number;
  say: (line: string) => void;
  /** Called when the first worker listens. */
  onListening: () => void;
  /** Milliseconds from a shutdown until workers that still run are killed. */
  deadline?: number;
  /** Milliseconds until a replaced worker is killed: more than its requests in flight may take. */
  patience?: number;
};

type Place = ReturnType<typeof createPlace>;

/** One of the n places: it keeps one worker alive. */
function createPlace(child: Child) {
  let tell: () => void = () => undefined;
  const place = {
    child,
    /** Resolves when another worker takes the place. */
    replaced: Promise.resolve(),
    take(next: Child): void {
      tell();
      place.child = next;
      place.replaced = new Promise((resolve) => {
        tell = resolve;
      });
    },
  };
  place.take(child);
  return place;
}

/** The exit code of a stopped worker. A signal ends one that is still starting, which is no failure. */
const codeOf = ({ code, signal }: Ended): number => (signal === 'SIGTERM' ? 0 : (code ?? 1));

/** @returns once all have ended: the exit code for this process */
export async function runPrimary(options: PrimaryOptions): Promise<number> {
  const { workers, say, onListening, deadline = 20_000, patience = 330_000 } = options;
  const stopping = new AbortController();
  const living = new Set<Child>();
  const places: Place[] = [];
  let worst = 0;

  function start(): Child {
    const child = fork();
    living.add(child);
    void child.ended.then(() => living.delete(child));
    return child;
  }

  const tellAll = (signal: NodeJS.Signals) => {
    for (const child of living) child.tell(signal);
  };

  function stop(): void {
    const isSecond = stopping.signal.aborted;
    stopping.abort();
    tellAll(isSecond ? 'SIGKILL' : 'SIGTERM');
    setTimeout(() => tellAll('SIGKILL'), deadline).unref();
  }

  /** Restarts the worker of this place whenever it exits, until the shutdown. */
  async function keep(place: Place): Promise<void> {
    const pauses = createRestartPauses();
    for (;;) {
      const { child } = place;
      const isReplaced = () => place.child !== child;
      const born = Date.now();
      // A replaced worker may take minutes to finish its requests; only its successor is kept alive.
      const end = await Promise.race([child.ended, place.replaced]);
      if (isReplaced()) pauses.reset();
      if (isReplaced() || !end) continue;
      if (stopping.signal.aborted) {
        worst ||= codeOf(end);
        return;
      }
      const pause = pauses.next(Date.now() - born);
      const what =
        child.pid === undefined ? 'A worker could not be started' : `A worker (pid ${child.pid}) ended by itself`;
      say(`${what} (${end.reason}); another is started in ${pause} ms.`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isReplaced()) {
        pauses.reset();
        continue;
      }
      if (stopping.signal.aborted) return;
      place.take(start());
    }
  }

  /** Resolves when the worker has exited. Its requests in flight end first; if they hang, it is killed. */
  async function retire(child: Child): Promise<void> {
    child.retire();
    const timer = setTimeout(() => child.tell('SIGKILL'), patience);
    await child.ended;
    clearTimeout(timer);
  }

  async function replaceAll(): Promise<void> {
    say(`Replacing ${places.length} workers, one by one.`);
    for (const place of places) {
      const next = start();
      const failure = await next.listens;
      // The shutdown stops this worker too.
      if (stopping.signal.aborted) return void (await next.ended);
      if (failure) return say(`The new worker does not start (${failure.reason}): the old ones stay.`);
      const old = place.child;
      place.take(next);
      await retire(old);
      if (stopping.signal.aborted) return;
    }
    say('All workers are replaced.');
  }

  let replacing: Promise<void> | undefined;
  process.on('SIGTERM', stop);
  // The supervisor forwards the terminal's Ctrl-C as SIGTERM. If it is gone, the primary stops.
  if (process.connected) process.on('SIGINT', () => undefined).on('disconnect', stop);
  else process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    // Before the first worker listens, all are new.
    if (stopping.signal.aborted || places.length === 0) return;
    replacing ??= replaceAll().finally(() => {
      replacing = undefined;
    });
  });

  // One worker first: a wrong setting is reported once, and migrations run once.
  const first = start();
  const failure = await first.listens;
  if (failure) {
    if (first.pid === undefined) say(`A worker could not be started (${failure.reason}).`);
    return stopping.signal.aborted ? codeOf(failure) : (failure.code ?? 1);
  }
  places.push(createPlace(first));
  if (!stopping.signal.aborted) onListening();
  while (places.length < workers && !stopping.signal.aborted) places.push(createPlace(start()));
  await Promise.all(places.map(keep));
  await replacing;
  return worst;
}

const minute = 60_000;

/** WORKERS=n: serves the metrics of all workers, and exits when they have ended. */
export async function startPrimary(config: Config): Promise<never> {
  const say = (line: string) => console.error(line);
  if (config.metricsPort !== undefined) {
    const { aggregateMetrics } = await import('../monitoring/aggregate.ts');
    const now = throttledWarning(minute);
    const info = (_details: object, line: string) => say(line);
    const warn = ({ err }: { err: Error }, line: string) => now(() => say(`${line}: ${err.message}`));
    await serveMetrics(config, aggregateMetrics(), { info, warn });
  }
  process.exit(await runPrimary({ workers: config.workers, say, onListening: () => process.send?.('listening') }));
}
