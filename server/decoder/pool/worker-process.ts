import { open } from 'node:fs/promises';
import type { Forbidden } from '../cage/check.ts';
import type { Launch } from '../cage/launch.ts';
import { CRASHED, DecoderLost, damaged, TOO_LITTLE_MEMORY, TOO_LONG, TOO_MUCH_MEMORY } from '../core/failure.ts';
import { type DecodeLimits, HEAVY, MEMORY_BOUND, MEMORY_BUDGET, MEMORY_KEPT } from '../core/limits.ts';
import { SNIFFED } from '../formats/sniff.ts';
import type { FromWorker, Outcome, Wanted } from '../protocol/messages.ts';
import { readReply } from '../protocol/replies.ts';
import { type DecoderProcess, startProcess } from './decoder-process.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { processorMs, residentBytes } from './process-costs.ts';
import { type Copied, hasSlots, openSlot, SLOT_PATH, type Slot } from './slot.ts';

export type WorkerProcess = {
  readonly pid: number;
  /**
   * Decodes one picture. Rejects where the fault is not the picture's.
   * @throws DecoderLost where the decoder ended before it was given the picture
   */
  run(path: string, wanted: Wanted): Promise<Outcome>;
  /** What the decoder can reach of what it must not. */
  check(forbidden: Forbidden): Promise<string[]>;
  /** False once the process has ended, or has grown so much that a new one is better. */
  usable(): boolean;
  /** Ends the process and removes its copy of a picture. */
  kill(): Promise<void>;
};

const WATCH_MS = 40;

const ENTRY = new URL('./worker.js', import.meta.url);

export type WorkerOptions = {
  limits: DecodeLimits;
  budget: MemoryBudget;
  /** Its priority among the system's processes, 0 to 19: the higher, the less it gets. */
  nice: number;
  /** Bytes that the system has left for pictures (pool.ts). */
  room: () => number;
  launch: Launch;
  /** Where the copies of pictures that decoders are given take their space. */
  folder: string;
  /** Whether a picture's copy goes as soon as it was decoded: it would be in the clear where files are sealed. */
  wipe?: boolean;
  /** Ends the decoder, also while it starts. */
  signal?: AbortSignal;
  /** The decoder's first file. */
  entry?: URL;
};

/**
 * Starts a process for decoding and waits until it is ready.
 * @throws Error where it cannot be started
 */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { launch, nice, folder, signal, entry = ENTRY } = options;
  let slot: Slot | undefined;
  try {
    slot = hasSlots ? await openSlot(folder) : undefined;
    const decoder = await startProcess(entry, { launch, nice, input: slot?.descriptor, signal });
    decoder.hold(false);
    return workerOf(decoder, slot, options);
  } catch (error) {
    await slot?.close();
    throw new Error(`The picture decoder cannot be started: ${(error as Error).message}`, { cause: error });
  }
}

function workerOf(decoder: DecoderProcess, slot: Slot | undefined, options: WorkerOptions): WorkerProcess {
  const closed = new Promise<void>((resolve) => {
    decoder.onExit(() => resolve(slot?.close()));
  });

  async function run(path: string, wanted: Wanted): Promise<Outcome> {
    decoder.hold(true);
    try {
      const copied = await fill(path);
      return await runJob(decoder, { path: slot ? SLOT_PATH : path, wanted, ...copied }, options);
    } finally {
      if (options.wipe && decoder.isAlive()) await slot?.empty().catch(() => void decoder.kill());
      decoder.hold(false);
    }
  }

  async function fill(path: string): Promise<Copied> {
    try {
      const copied = slot ? await slot.fill(path) : await headOf(path);
      if (decoder.isAlive()) return copied;
    } catch (error) {
      if (decoder.isAlive()) throw error; // its slot is closed with it
    }
    throw new DecoderLost();
  }

  async function check(forbidden: Forbidden): Promise<string[]> {
    decoder.hold(true);
    let forget = () => {};
    try {
      return await new Promise((resolve, reject) => {
        forget = decoder.onExit(() => reject(new Error('it ended while it was looked at')));
        decoder.listen((frame) => {
          const reply = readReply(frame, undefined);
          if (reply?.type === 'checked') resolve(reply.reachable);
          else reject(new Error('it replied something else'));
        });
        decoder.send({ type: 'check', forbidden });
      });
    } finally {
      forget();
      decoder.listen(undefined);
      decoder.hold(false);
    }
  }

  return {
    pid: decoder.pid,
    run,
    check,
    usable: () => decoder.isAlive() && residentBytes(decoder.pid) < MEMORY_KEPT,
    async kill() {
      await decoder.kill();
      await closed;
    },
  };
}

async function headOf(path: string): Promise<Copied> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0);
    return { size, head: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

/** How much longer a picture may take where others keep the processors busy; where none do, it hangs. */
const BUSY = 4;

/** Time is up once so much of the processor's was used: that a machine is busy is no picture's fault. */
function allow(pid: number, ms: number): { isUp(): boolean } {
  const used = processorMs(pid);
  const start = performance.now();
  return {
    isUp: () => {
      const now = processorMs(pid);
      const waited = performance.now() - start;
      if (used === undefined || now === undefined) return waited >= ms;
      return now - used >= ms || waited >= ms * BUSY;
    },
  };
}

/** A decoder that waits does nothing: processor time in milliseconds after which it is ended. */
const WAITING_MS = 1000;

/** Time is up once a waiting decoder has worked; however long it waits, it may. */
function allowWaiting(pid: number): { isUp(): boolean } {
  const used = processorMs(pid) ?? 0;
  return { isUp: () => (processorMs(pid) ?? 0) - used >= WAITING_MS };
}

type Job = Copied & { path: string; wanted: Wanted };

async function runJob(decoder: DecoderProcess, job: Job, options: WorkerOptions): Promise<Outcome> {
  const { limits, budget, room } = options;
  const { pid } = decoder;
  const { path, wanted, size, head } = job;
  let blame = CRASHED;
  const stop = (detail: string) => {
    blame = detail;
    void decoder.kill();
  };
  let time = allow(pid, limits.timeoutMs);
  const watch = setInterval(() => {
    const resident = residentBytes(pid);
    if (!decoder.isAlive()) return;
    if (resident > MEMORY_BOUND) stop(TOO_MUCH_MEMORY);
    else if (resident > HEAVY && room() === 0) stop(TOO_LITTLE_MEMORY);
    else if (time.isUp()) stop(TOO_LONG);
  }, WATCH_MS);
  const grant = budget.request();
  let granted = false;
  let forget = () => {};
  const settled = new Promise<Outcome>((resolve, reject) => {
    forget = decoder.onExit(() => resolve({ ok: false, failure: damaged(blame).failure }));
    const hear = (message: FromWorker | undefined) => {
      if (message?.type === 'done') return resolve(message.outcome);
      if (message?.type === 'fault') return reject(Object.assign(new Error(message.fault.message), message.fault));
      // Once only: each grant begins the time anew.
      if (message?.type !== 'need' || granted || message.timeoutMs > limits.timeoutMs) return stop(CRASHED);
      const { memory, timeoutMs } = message;
      if (memory > MEMORY_BUDGET + size) return stop(CRASHED); // inspect.ts expects no more of any picture
      granted = true;
      time = allowWaiting(pid); // waiting for other pictures is not this one's fault
      grant.whenFree(memory, () => {
        if (memory > room()) return stop(TOO_LITTLE_MEMORY);
        time = allow(pid, timeoutMs);
        decoder.send({ type: 'grant' });
      });
    };
    decoder.listen((frame) => hear(readReply(frame, { limits, size, head })));
  });
  decoder.send({ type: 'decode', path, limits, wanted });
  try {
    return await settled;
  } finally {
    clearInterval(watch);
    grant.release();
    forget();
    decoder.listen(undefined);
  }
}
