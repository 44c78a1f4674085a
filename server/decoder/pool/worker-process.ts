import { open } from 'node:fs/promises';
import type { Forbidden } from '../cage/check.ts';
import type { Launch } from '../cage/launch.ts';
import { CRASHED, DecoderLost, lost, TOO_LITTLE_MEMORY, TOO_LONG, TOO_MUCH_MEMORY } from '../core/failure.ts';
import { type DecodeLimits, GROWTH_KEPT, HEAVY, MEMORY_BOUND, MEMORY_BUDGET } from '../core/limits.ts';
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
   * Rejects if the picture is not to blame. @param onRead called when `copyAhead` is allowed
   * @throws DecoderLost if the decoder ended before it received the picture
   */
  run(path: string, wanted: Wanted, onRead?: () => void): Promise<Outcome>;
  /** Copies the next run's picture during the current run, so that the next run need not wait for it. */
  copyAhead(path: string): void;
  /** Erases a copy whose run will not come. */
  forgetCopy(): void;
  check(forbidden: Forbidden): Promise<string[]>;
  /** False once the process has ended or grown so much that a new one is better. */
  usable(): boolean;
  kill(): Promise<void>;
};

const WATCH_MS = 40;

const ENTRY = new URL('./worker.js', import.meta.url);

export type WorkerOptions = {
  limits: DecodeLimits;
  budget: MemoryBudget;
  nice: number;
  room: () => number;
  launch: Launch;
  folder: string;
  /** Whether a copy is erased after decoding, because it is plaintext while files are sealed. */
  wipe?: boolean;
  signal?: AbortSignal;
  entry?: URL;
};

export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { launch, nice, folder, signal, entry = ENTRY } = options;
  let slot: Slot | undefined;
  try {
    slot = hasSlots ? await openSlot(folder) : undefined;
    const decoder = await startProcess(entry, { launch, nice, input: slot?.descriptor, signal });
    decoder.setRef(false);
    return workerOf(decoder, slot, options);
  } catch (error) {
    await slot?.close();
    throw new Error(`The picture decoder cannot be started: ${(error as Error).message}`, { cause: error });
  }
}

function workerOf(decoder: DecoderProcess, slot: Slot | undefined, options: WorkerOptions): WorkerProcess {
  const atStart = residentBytes(decoder.pid);
  const closed = new Promise<void>((resolve) => {
    decoder.onExit(() => resolve(slot?.close()));
  });

  /** The copy begun for the next run. `copied` is undefined if it failed or was erased. */
  let ahead: { path?: string; copied: Promise<Copied | undefined> } | undefined;

  async function run(path: string, wanted: Wanted, onRead = () => {}): Promise<Outcome> {
    decoder.setRef(true);
    try {
      const copied = await fill(path);
      return await runJob(decoder, { path: slot ? SLOT_PATH : path, wanted, onRead, ...copied }, options);
    } finally {
      if (!ahead) await wipe();
      decoder.setRef(false);
    }
  }

  async function wipe(): Promise<void> {
    if (options.wipe && decoder.isAlive()) await slot?.empty().catch(() => void decoder.kill());
  }

  async function copy(path: string): Promise<Copied> {
    const begun = ahead;
    ahead = undefined;
    const copied = await begun?.copied; // also if it is of another picture: its erasure could otherwise remove this one
    if (copied && begun?.path === path) return copied;
    return slot ? slot.fill(path) : headOf(path);
  }

  async function fill(path: string): Promise<Copied> {
    try {
      const copied = await copy(path);
      if (decoder.isAlive()) return copied;
    } catch (error) {
      if (decoder.isAlive()) throw error; // otherwise its slot was closed with it
    }
    throw new DecoderLost();
  }

  async function check(forbidden: Forbidden): Promise<string[]> {
    decoder.setRef(true);
    let forget = () => {};
    try {
      return await new Promise((resolve, reject) => {
        forget = decoder.onExit(() => reject(new Error('it ended during the check')));
        decoder.listen((frame) => {
          const reply = readReply(frame, undefined);
          if (reply?.type === 'checked') resolve(reply.reachable);
          else reject(new Error('unexpected reply'));
        });
        decoder.send({ type: 'check', forbidden });
      });
    } finally {
      forget();
      decoder.listen(undefined);
      decoder.setRef(false);
    }
  }

  return {
    pid: decoder.pid,
    run,
    copyAhead(path) {
      if (slot) ahead = { path, copied: slot.fill(path).catch(() => undefined) }; // `run` copies again and reports the error
    },
    forgetCopy() {
      if (ahead) ahead = { copied: ahead.copied.then(wipe).then(() => undefined) };
    },
    check,
    usable: () => decoder.isAlive() && residentBytes(decoder.pid) - atStart < GROWTH_KEPT,
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

/** Factor by which wall-clock time may exceed processor time; beyond it, the decoder hangs. Linux gives a fifth less for each nice level. */
const busy = (nice: number) => 4 * 1.25 ** nice;

/** A limit on processor time, so that a busy machine does not count against the picture. */
function allow(pid: number, ms: number, nice: number): { isUp(): boolean } {
  const used = processorMs(pid);
  const start = performance.now();
  return {
    isUp: () => {
      const now = processorMs(pid);
      const waited = performance.now() - start;
      if (used === undefined || now === undefined) return waited >= ms;
      return now - used >= ms || waited >= ms * busy(nice);
    },
  };
}

/** Milliseconds of processor time after which a decoder that should wait is killed. */
const WAITING_MS = 1000;

/** A limit for waiting decoders: they may wait for any time but not work. */
function allowWaiting(pid: number): { isUp(): boolean } {
  const used = processorMs(pid) ?? 0;
  return { isUp: () => (processorMs(pid) ?? 0) - used >= WAITING_MS };
}

type Job = Copied & { path: string; wanted: Wanted; onRead: () => void };

async function runJob(decoder: DecoderProcess, job: Job, options: WorkerOptions): Promise<Outcome> {
  const { limits, budget, room, nice } = options;
  const { pid } = decoder;
  const { path, wanted, onRead, size, head } = job;
  let blame = CRASHED;
  const stop = (detail: string) => {
    blame = detail;
    void decoder.kill();
  };
  let time = allow(pid, limits.timeoutMs, nice);
  const watch = setInterval(() => {
    const resident = residentBytes(pid);
    if (!decoder.isAlive()) return;
    if (resident > MEMORY_BOUND) stop(TOO_MUCH_MEMORY);
    else if (resident > HEAVY && room() === 0) stop(TOO_LITTLE_MEMORY);
    else if (time.isUp()) stop(TOO_LONG);
  }, WATCH_MS);
  const grant = budget.request();
  let granted = false;
  let isRead = false;
  let forget = () => {};
  const settled = new Promise<Outcome>((resolve, reject) => {
    forget = decoder.onExit(() => {
      // Nobody else sends this signal: the system ran out of memory.
      if (blame === CRASHED && decoder.wasKilled()) blame = TOO_LITTLE_MEMORY;
      resolve({ ok: false, failure: lost(blame).failure });
    });
    const receive = (message: FromWorker | undefined) => {
      if (message?.type === 'done') return resolve(message.outcome);
      if (message?.type === 'fault') return reject(Object.assign(new Error(message.fault.message), message.fault));
      if (message?.type === 'read' && !isRead) {
        isRead = true;
        return onRead();
      }
      // Once only: each grant restarts the time limit.
      if (message?.type !== 'need' || granted || message.timeoutMs > limits.timeoutMs) return stop(CRASHED);
      const { memory, timeoutMs } = message;
      if (memory > MEMORY_BUDGET + size) return stop(CRASHED); // inspect.ts never estimates more
      granted = true;
      time = allowWaiting(pid); // waiting for other pictures does not count
      grant.whenFree(memory, () => {
        if (memory > room()) return stop(TOO_LITTLE_MEMORY);
        time = allow(pid, timeoutMs, nice);
        decoder.send({ type: 'grant' });
      });
    };
    decoder.listen((frame) => receive(readReply(frame, { limits, size, head })));
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
