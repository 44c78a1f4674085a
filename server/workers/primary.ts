/**
 * WORKERS=n: n processes on one port. The primary serves no requests: it forks the workers, forwards signals and restarts
 * workers that exit. SIGHUP replaces them one by one; a new worker listens before the old one stops.
 */
import type { Config } from '../config/config.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { throttledWarning } from '../lib/throttled-warning.ts';
import { serveMetrics } from '../monitoring/metrics-server.ts';
import { type Child, fork } from './child.ts';
import { codeOf, createSlot, type Slot } from './slot.ts';

type PrimaryOptions = {
  workers: number;
  say: (line: string) => void;
  onListening: () => void;
  /** Milliseconds from a shutdown until workers that still run are killed. */
  deadline?: number;
  /** Milliseconds until a replaced worker is killed: more than its requests in flight may take. */
  retireTimeout?: number;
};

/** @returns once all have ended: the exit code for this process */
export async function runPrimary(options: PrimaryOptions): Promise<number> {
  const { workers, say, onListening, deadline = 20_000, retireTimeout = 330_000 } = options;
  const stopping = new AbortController();
  const children = new Set<Child>();
  const slots: Slot[] = [];

  function start(slot: number): Child {
    const child = fork(slot);
    children.add(child);
    void child.ended.then(() => children.delete(child));
    return child;
  }

  function addSlot(first: Child): void {
    const slot = slots.length;
    slots.push(createSlot(first, { start: () => start(slot), stopping: stopping.signal, say }));
  }

  const signalAll = (signal: NodeJS.Signals) => {
    for (const child of children) child.kill(signal);
  };

  function stop(): void {
    const isSecond = stopping.signal.aborted;
    stopping.abort();
    signalAll(isSecond ? 'SIGKILL' : 'SIGTERM');
    setTimeout(() => signalAll('SIGKILL'), deadline).unref();
  }

  /** Resolves when the worker has exited. Its requests in flight end first; if they hang, it is killed. */
  async function retire(child: Child): Promise<void> {
    child.retire();
    const timer = setTimeout(() => child.kill('SIGKILL'), retireTimeout);
    await child.ended;
    clearTimeout(timer);
  }

  async function replaceAll(): Promise<void> {
    say(`Replacing ${slots.length} workers, one by one.`);
    for (const [number, slot] of slots.entries()) {
      const next = start(number);
      const failure = await next.listens;
      // The shutdown stops this worker too.
      if (stopping.signal.aborted) return void (await next.ended);
      if (failure) return say(`The new worker does not start (${failure.reason}): the old ones stay.`);
      const old = slot.child();
      slot.replace(next);
      await retire(old);
      if (stopping.signal.aborted) return;
    }
    say('All workers are replaced.');
  }

  const replacing = createSingleFlight<void>();
  process.on('SIGTERM', stop);
  // The supervisor forwards the terminal's Ctrl-C as SIGTERM. If it is gone, the primary stops.
  if (process.connected) process.on('SIGINT', () => undefined).on('disconnect', stop);
  else process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    // Before the first worker listens, all are new.
    if (stopping.signal.aborted || slots.length === 0) return;
    void replacing.share('all', replaceAll);
  });

  // One worker first: a wrong setting is reported once, and migrations run once.
  const first = start(0);
  const failure = await first.listens;
  if (failure) {
    if (first.pid === undefined) say(`A worker could not be started (${failure.reason}).`);
    return stopping.signal.aborted ? codeOf(failure) : (failure.code ?? 1);
  }
  addSlot(first);
  if (!stopping.signal.aborted) onListening();
  while (slots.length < workers && !stopping.signal.aborted) addSlot(start(slots.length));
  const codes = await Promise.all(slots.map(({ keepAlive }) => keepAlive()));
  await replacing.settled();
  return Math.max(...codes);
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
