import { tmpdir } from 'node:os';
import { type DecodeLimits, MEMORY_BUDGET, MEMORY_RESERVE } from '../core/limits.ts';
import { type Isolation, isolationIn } from './choose-isolation.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { memoryLeft as memoryOfSystem } from './memory-left.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

export type Workers = {
  /** @param previous the loop's worker, if it has one @returns a worker that can decode a picture: if possible that one */
  acquire(previous?: WorkerProcess): Promise<WorkerProcess>;
  /** Keeps the worker for the next picture, for a while. */
  release(worker: WorkerProcess): void;
  close(): Promise<void>;
};

export type WorkersOptions = {
  limits: DecodeLimits;
  /** Bytes that heavy pictures may use together. */
  memory?: number;
  /** Milliseconds after which an idle worker ends. */
  idleMs?: number;
  /** Scheduling priority of workers, 0 to 19: higher values get less processor time. */
  nice?: number;
  /** Available bytes of the system; by default as reported by Linux. */
  memoryLeft?: () => number;
  isolation?: () => Promise<Isolation>;
  /** The folder of the workers' copies of pictures; by default the system's temporary folder. */
  folder?: string;
  wipe?: boolean;
};

type Idle = { worker: WorkerProcess; timer: NodeJS.Timeout };

const defaultIsolation = isolationIn(tmpdir());

export const closedError = () => new Error('The picture decoder is closed.');

export function createWorkers({
  limits,
  memory = MEMORY_BUDGET,
  idleMs = 60_000,
  nice = 0,
  memoryLeft = memoryOfSystem,
  isolation = defaultIsolation,
  folder = tmpdir(),
  wipe = false,
}: WorkersOptions): Workers {
  const room = () => Math.max(0, memoryLeft() - MEMORY_RESERVE);
  const budget = createMemoryBudget(memory, room);
  const alive = new Set<WorkerProcess>();
  const idle: Idle[] = [];
  /** Started without a cage after a failed trial: they decode one picture, so that isolation is soon chosen again. */
  const singleUse = new WeakSet<WorkerProcess>();
  let closed = false;

  const isReusable = (worker: WorkerProcess) => worker.usable() && !singleUse.has(worker);

  function takeIdle(): WorkerProcess | undefined {
    const latest = idle.pop();
    clearTimeout(latest?.timer);
    return latest?.worker;
  }

  async function start(): Promise<WorkerProcess> {
    const { launch, unsure } = await isolation();
    const attempt = () => startWorker({ limits, budget, nice, room, launch, folder, wipe });
    // A worker killed before it was ready, for instance by lack of memory, is no fault of the picture: retry once.
    const worker = await attempt().catch(attempt);
    alive.add(worker);
    if (unsure) singleUse.add(worker);
    if (!closed) return worker;
    await end(worker);
    throw closedError();
  }

  async function end(worker: WorkerProcess): Promise<void> {
    alive.delete(worker);
    await worker.kill();
  }

  return {
    async acquire(previous = takeIdle()) {
      if (previous && isReusable(previous)) return previous;
      if (previous) await end(previous);
      return start();
    },
    release(worker) {
      if (closed || !isReusable(worker)) return void end(worker);
      worker.forgetCopy();
      const timer = setTimeout(() => {
        idle.splice(idle.indexOf(entry), 1);
        void end(worker);
      }, idleMs).unref();
      const entry = { worker, timer };
      idle.push(entry);
    },
    async close() {
      closed = true;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...alive].map(end));
    },
  };
}
