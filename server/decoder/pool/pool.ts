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
   * Decodes the picture at `path` whole, in a process of its own; owners take turns, each in order of asking. A picture
   * that hangs or crashes its decoder is damaged; a decoder that cannot be started, or a file that cannot be read,
   * rejects. Aborted, it rejects with the signal's reason at once, and a picture that still waits is never decoded.
   */
  decode(path: string, options?: DecodeOptions): Promise<Outcome>;
  /** Ends every worker; what waits or runs rejects. */
  close(): Promise<void>;
};

export type DecodeOptions = {
  signal?: AbortSignal | undefined;
  /** Whose picture it is: an account's id, or '' for what the server does by itself. */
  owner?: string;
  /** What to make beside the thumbnail. */
  wanted?: Wanted;
  /** Called when a worker takes up the picture: again, where the first worker was lost. */
  onStart?: () => void;
};

export type DecoderPoolOptions = {
  limits: DecodeLimits;
  /** Processes at most; by default as many as cores. */
  workers?: number;
  /** Bytes that heavy pictures may be expected to hold together. */
  memory?: number;
  /** How long a worker may rest before it is ended. */
  idleMs?: number;
  /** Priority of the workers among the system's processes, 0 to 19: the higher, the less they get. */
  nice?: number;
  /** Whether a picture that is aborted while it is decoded is broken off, its worker with it, or left to end. */
  breakOff?: boolean;
  /** Bytes that the system has left; by default what Linux tells. */
  memoryLeft?: () => number;
  /** What the machine allows; asked before a worker is started. */
  isolation?: () => Promise<Isolation>;
  /** Where the copies of pictures that workers are given take their space; by default the system's temporary folder. */
  folder?: string;
  /** Whether such a copy goes as soon as its picture was decoded. */
  wipe?: boolean;
  /** Told when a worker takes up a picture. */
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

/** Where none is named. */
const defaultIsolation = isolationIn(tmpdir());

const closedError = () => new Error('The picture decoder is closed.');

/** Starts no process until the first picture comes. */
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
  /** Bytes that pictures may be given now. */
  const room = () => Math.max(0, memoryLeft() - MEMORY_RESERVE);
  const budget = createMemoryBudget(memory, room);
  const queue = createFairQueue<Job>();
  const resting: Resting[] = [];
  const alive = new Set<WorkerProcess>();
  /** Started without a cage because a trial failed: they decode one picture, so that the isolation is soon chosen again. */
  const singleUse = new WeakSet<WorkerProcess>();
  const turns = new Set<Promise<void>>();
  let lanes = 0;
  let closed = false;

  /** One lane is one worker's turn: it takes pictures, whenever its worker is ready for one, until none waits. */
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
    lanes -= 1; // before anything is awaited: a picture that comes now must find the lane free
    if (worker !== undefined) lieDown(worker);
  }

  /** @returns the worker that took it last */
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
        // Its decoder ended before it had the picture: once more.
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
    // One that is killed before it is ready, as where memory is short, says nothing of the picture: once more.
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
      await Promise.all(turns); // one may have been starting a worker
    },
  };
}
