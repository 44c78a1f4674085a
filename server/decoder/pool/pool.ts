import { availableParallelism } from 'node:os';
import { DecoderLost } from '../core/failure.ts';
import type { Outcome, Wanted } from '../protocol/messages.ts';
import { createFairQueue } from './fair-queue.ts';
import type { WorkerProcess } from './worker-process.ts';
import { closedError, createWorkers, type Workers, type WorkersOptions } from './workers.ts';

export type { DecodeFailure } from '../core/failure.ts';
export type { DecodeLimits } from '../core/limits.ts';
export type { Decoded, Wanted } from '../protocol/messages.ts';

export type DecoderPool = {
  /**
   * Owners take turns. A picture that hangs or crashes its decoder counts as damaged. Rejects if no decoder can start,
   * the file cannot be read, or the signal aborts; then a waiting picture is never decoded.
   */
  decode(path: string, options?: DecodeOptions): Promise<Outcome>;
  close(): Promise<void>;
};

export type DecodeOptions = {
  signal?: AbortSignal | undefined;
  /** The account's id, or '' for the server's background work. */
  owner?: string;
  wanted?: Wanted;
  /** Called when a worker begins the picture: again, if the first worker was lost. @param pid its process */
  onStart?: (pid: number) => void;
};

export type DecoderPoolOptions = WorkersOptions & {
  workers?: number;
  /** Whether an abort during decoding kills the worker; otherwise the work is finished. */
  killOnAbort?: boolean;
};

type Job = {
  path: string;
  owner: string;
  wanted: Wanted;
  signal: AbortSignal | undefined;
  onStart: ((pid: number) => void) | undefined;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

type LoopParts = {
  max: number;
  workers: Workers;
  /** Never throws. @param onRead called when the worker can copy the next picture @returns the worker that decoded */
  serve: (job: Job, worker: WorkerProcess, onRead: (worker: WorkerProcess) => void) => Promise<WorkerProcess>;
};

/** Each loop decodes pictures with one worker until the queue is empty. */
function createLoops({ max, workers, serve }: LoopParts) {
  const queue = createFairQueue<Job>();
  /** The jobs whose pictures are being copied, by the loop of the copying worker. */
  const ahead = new Map<symbol, Job>();
  const running = new Set<Promise<void>>();
  let count = 0;

  /** @returns if nothing else waits, a job that another loop took ahead, whose worker may be busy for long */
  function next(loop: symbol): Job | undefined {
    const [other] = ahead.values();
    const job = ahead.get(loop) ?? queue.shift() ?? other;
    if (job !== undefined) forget(job);
    return job;
  }

  function forget(job: Job): void {
    for (const [loop, taken] of ahead) if (taken === job) ahead.delete(loop);
  }

  async function run(): Promise<void> {
    count += 1;
    const loop = Symbol('loop');
    /** Only the same owner's: a compromised decoder could return it as the thumbnail of the current one. */
    const copyNext = (worker: WorkerProcess, { owner }: Job) => {
      const job = queue.peek();
      if (job?.owner !== owner) return;
      queue.shift();
      ahead.set(loop, job);
      worker.copyAhead(job.path);
    };
    let worker: WorkerProcess | undefined;
    while (queue.size > 0 || ahead.size > 0) {
      try {
        worker = await workers.acquire(worker);
      } catch (error) {
        worker = undefined;
        next(loop)?.reject(error);
        continue;
      }
      const job = next(loop);
      if (job !== undefined) worker = await serve(job, worker, (reader) => copyNext(reader, job));
    }
    count -= 1; // before any await: a picture that arrives now must see the loop as free
    if (worker !== undefined) workers.release(worker);
  }

  return {
    push(job: Job): void {
      queue.push(job.owner, job);
      if (count >= max) return;
      const loop = run().finally(() => running.delete(loop));
      running.add(loop);
    },
    remove(job: Job): void {
      queue.remove(job.owner, job);
      forget(job);
    },
    /** @returns the removed jobs */
    clear(): Job[] {
      const waiting = [...ahead.values(), ...queue.clear()];
      ahead.clear();
      return waiting;
    },
    ended: () => Promise.all(running),
  };
}

/** Starts no process before the first picture. */
export function createDecoderPool({
  workers: max = availableParallelism(),
  killOnAbort = false,
  ...options
}: DecoderPoolOptions): DecoderPool {
  const workers = createWorkers(options);
  const loops = createLoops({ max, workers, serve });
  let closed = false;

  /** @returns the worker that decoded the picture */
  async function serve(
    job: Job,
    first: WorkerProcess,
    onRead: (worker: WorkerProcess) => void,
  ): Promise<WorkerProcess> {
    let worker = first;
    const kill = () => void (killOnAbort && worker.kill());
    const run = () => {
      job.onStart?.(worker.pid);
      return worker.run(job.path, job.wanted, () => onRead(worker));
    };
    job.signal?.addEventListener('abort', kill, { once: true });
    try {
      const outcome = await run().catch(async (error) => {
        // The decoder ended before it received the picture: retry once.
        if (!(error instanceof DecoderLost) || closed || job.signal?.aborted) throw error;
        worker = await workers.acquire(worker);
        return run();
      });
      if (closed) job.reject(closedError());
      else job.resolve(outcome);
    } catch (error) {
      job.reject(closed ? closedError() : error);
    } finally {
      job.signal?.removeEventListener('abort', kill);
    }
    return worker;
  }

  return {
    async decode(path, { signal, owner = '', wanted = {}, onStart } = {}) {
      if (closed) throw closedError();
      signal?.throwIfAborted();
      let abort = () => {};
      const decoded = new Promise<Outcome>((resolve, reject) => {
        const job = { path, owner, wanted, signal, onStart, resolve, reject };
        abort = () => {
          loops.remove(job);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abort, { once: true });
        loops.push(job);
      });
      // A signal may outlive thousands of pictures.
      return decoded.finally(() => signal?.removeEventListener('abort', abort));
    },
    async close() {
      closed = true;
      for (const job of loops.clear()) job.reject(closedError());
      await workers.close();
      await loops.ended(); // a loop may be starting a worker
    },
  };
}
