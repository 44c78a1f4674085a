/**
 * WORKERS=n: n processes on one port. The primary serves nothing: it forks them, passes signals on, and starts anew what
 * died, the sooner the longer it had lived. SIGHUP replaces them one by one, each by one that listens already.
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
  /** Told when the first one listens. */
  onListening: () => void;
  /** Milliseconds after which, at a stop, what still runs is killed. */
  deadline?: number;
  /** Milliseconds after which one that was replaced is killed: longer than it waits itself for what it has in flight. */
  patience?: number;
};

type Place = ReturnType<typeof createPlace>;

/** In it one worker is kept alive, whichever that is. */
function createPlace(child: Child) {
  let tell: () => void = () => undefined;
  const place = {
    child,
    /** Resolves when another takes the place of the present one. */
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

/** Of one that was told to stop: the signal itself ends one that is just beginning. */
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
      if (isReplaced()) continue;
      if (stopping.signal.aborted) return;
      place.take(start());
    }
  }

  /** Resolves when it has ended: what it has in flight ends first, but one that hangs does not hold up the others. */
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
      // It was told to stop as all were.
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
  // The supervisor has got the terminal's Ctrl-C too, and passes it on as SIGTERM; when it is gone, all of this ends.
  if (process.connected) process.on('SIGINT', () => undefined).on('disconnect', stop);
  else process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    // Before the first one listens all are new.
    if (stopping.signal.aborted || places.length === 0) return;
    replacing ??= replaceAll().finally(() => {
      replacing = undefined;
    });
  });

  // One first: what is wrong with the settings is told once, and the tables are brought up to date once.
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
