import { availableParallelism, tmpdir } from 'node:os';
import { DecoderLost } from '../core/failure.ts';
import { type DecodeLimits, MEMORY_BUDGET, MEMORY_RESERVE } from '../core/limits.ts';
import type { Outcome, Wanted } from '../protocol/messages.ts';
import { type Isolation, isolationIn } from './choose-isolation.ts';
import { createFairQueue } from './fair-queue.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { memoryLeft as memoryOfSystem } from './memory-left.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

export type { DecodeFailure } from '../core/failure.ts';
export type { DecodeLimits } from '../core/limits.ts';
export type { Decoded, Wanted } from '../protocol/messages.ts';

export type DecoderPool = {
  /**
   * Decodes the picture at `path` in a separate process; owners take turns. A picture that hangs or crashes its decoder
   * counts as damaged; a decoder that cannot start or an unreadable file rejects. On abort it rejects with the signal's
   * reason, and a picture that still waits is never decoded.
   */
  decode(path: string, options?: DecodeOptions): Promise<Outcome>;
  close(): Promise<void>;
};

export type DecodeOptions = {
  signal?: AbortSignal | undefined;
  /** The account's id, or '' for the server's background work. */
  owner?: string;
  wanted?: Wanted;
  /** Called when a worker takes up the picture: again, where the first worker was lost. */
  onStart?: () => void;
};

export type DecoderPoolOptions = {
  limits: DecodeLimits;
  /** Maximum number of processes; by default the number of cores. */
  workers?: number;
  /** Bytes that heavy pictures may use together. */
  memory?: number;
  /** Milliseconds after which an idle worker ends. */
  idleMs?: number;
  /** Scheduling priority of workers, 0 to 19: higher values get less processor time. */
  nice?: number;
  /** Whether an abort during decoding kills the worker; otherwise the work is finished. */
  breakOff?: boolean;
  /** Available bytes of the system; by default as reported by Linux. */
  memoryLeft?: () => number;
  isolation?: () => Promise<Isolation>;
  /** The folder of the workers' copies of pictures; by default the system's temporary folder. */
  folder?: string;
  /** Whether a copy is erased right after decoding. */
  wipe?: boolean;
  onStart?: (path: string, pid: number) => void;
};

type Job = {
  path: string;
  owner: string;
  wanted: Wanted;
  signal: AbortSignal | undefined;
  onStart: (() => void) | undefined;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};
type Resting = { worker: WorkerProcess; timer: NodeJS.Timeout };

const defaultIsolation = isolationIn(tmpdir());

const closedError = () => new Error('The picture decoder is closed.');

/** Creates a pool; it starts no process before the first picture. */
export function createDecoderPool(options: DecoderPoolOptions): DecoderPool {
  const {
    limits,
    workers = availableParallelism(),
    idleMs = 10_000,
    memory = MEMORY_BUDGET,
    nice = 5,
    memoryLeft = memoryOfSystem,
    isolation = defaultIsolation,
    folder = tmpdir(),
    wipe = false,
    onStart = () => {},
  } = options;
  const room = () => Math.max(0, memoryLeft() - MEMORY_RESERVE);
  const budget = createMemoryBudget(memory, room);
  const queue = createFairQueue<Job>();
  const resting: Resting[] = [];
  const alive = new Set<WorkerProcess>();
  /** Started without a cage after a failed trial: they decode one picture, so that isolation is soon chosen again. */
  const singleUse = new WeakSet<WorkerProcess>();
  const turns = new Set<Promise<void>>();
  let lanes = 0;
  let closed = false;

  /** Runs one lane: a worker that decodes pictures until the queue is empty. */
  async function work(): Promise<void> {
    lanes += 1;
    let worker: WorkerProcess | undefined;
    while (queue.size > 0) {
      try {
        worker = await usable(worker ?? wake());
      } catch (error) {
        worker = undefined;
        queue.shift()?.reject(error);
        continue;
      }
      const job = queue.shift();
      if (job !== undefined) worker = await serve(job, worker);
    }
    lanes -= 1; // before any await: a picture that arrives now must see the lane as free
    if (worker !== undefined) lieDown(worker);
  }

  async function serve(job: Job, first: WorkerProcess): Promise<WorkerProcess> {
    let worker = first;
    const breakOff = () => void (options.breakOff && worker.kill());
    const run = () => {
      onStart(job.path, worker.pid);
      job.onStart?.();
      return worker.run(job.path, job.wanted);
    };
    try {
      job.signal?.addEventListener('abort', breakOff, { once: true });
      const outcome = await run().catch(async (error) => {
        // The decoder ended before it received the picture: retry once.
        if (!(error instanceof DecoderLost) || closed || job.signal?.aborted) throw error;
        worker = await usable(worker);
        return run();
      });
      if (closed) job.reject(closedError());
      else job.resolve(outcome);
    } catch (error) {
      job.reject(closed ? closedError() : error);
    } finally {
      job.signal?.removeEventListener('abort', breakOff);
    }
    return worker;
  }

  function forget(job: Job, reason: unknown): void {
    queue.remove(job.owner, job);
    job.reject(reason);
  }

  function startLane(): void {
    const turn = work().finally(() => turns.delete(turn));
    turns.add(turn);
  }

  function wake(): WorkerProcess | undefined {
    const latest = resting.pop();
    clearTimeout(latest?.timer);
    return latest?.worker;
  }

  const isReusable = (worker: WorkerProcess) => worker.usable() && !singleUse.has(worker);

  async function usable(worker: WorkerProcess | undefined): Promise<WorkerProcess> {
    if (worker !== undefined && isReusable(worker)) return worker;
    if (worker !== undefined) await end(worker);
    const { launch, unsure } = await isolation();
    const start = () => startWorker({ limits, budget, nice, room, launch, folder, wipe });
    // A worker killed before it was ready, for instance by lack of memory, is no fault of the picture: retry once.
    const fresh = await start().catch(start);
    alive.add(fresh);
    if (unsure) singleUse.add(fresh);
    if (!closed) return fresh;
    await end(fresh);
    throw closedError();
  }

  async function end(worker: WorkerProcess): Promise<void> {
    alive.delete(worker);
    await worker.kill();
  }

  function lieDown(worker: WorkerProcess): void {
    if (closed || !isReusable(worker)) {
      void end(worker);
      return;
    }
    const timer = setTimeout(() => {
      resting.splice(
        resting.findIndex((one) => one.worker === worker),
        1,
      );
      void end(worker);
    }, idleMs).unref();
    resting.push({ worker, timer });
  }

  return {
    decode(path, { signal, owner = '', wanted = {}, onStart } = {}) {
      let giveUp = () => {};
      const decoded = new Promise<Outcome>((resolve, reject) => {
        if (closed || signal?.aborted) {
          reject(closed ? closedError() : signal?.reason);
          return;
        }
        const job = { path, owner, wanted, signal, onStart, resolve, reject };
        queue.push(owner, job);
        giveUp = () => forget(job, signal?.reason);
        signal?.addEventListener('abort', giveUp, { once: true });
        if (lanes < workers) startLane();
      });
      // A signal may outlive thousands of pictures.
      return decoded.finally(() => signal?.removeEventListener('abort', giveUp));
    },
    async close() {
      closed = true;
      for (const job of queue.clear()) job.reject(closedError());
      for (const { timer } of resting.splice(0)) clearTimeout(timer);
      await Promise.all([...alive].map(end));
      await Promise.all(turns); // a lane may be starting a worker
    },
  };
}
