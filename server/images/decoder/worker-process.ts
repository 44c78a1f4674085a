import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { CRASHED, damaged, TOO_LITTLE_MEMORY, TOO_LONG, TOO_MUCH_MEMORY } from './failure.ts';
import { type DecodeLimits, HEAVY, MEMORY_BOUND, MEMORY_KEPT } from './limits.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { FromWorker, Outcome, ToWorker, Wanted } from './messages.ts';
import { processorMs, residentBytes } from './process-costs.ts';

export type WorkerProcess = {
  readonly pid: number;
  /** Decodes one picture. Rejects where the fault is not the picture's. */
  run(path: string, wanted: Wanted): Promise<Outcome>;
  /** False once the process has ended, or has grown so much that a new one is better. */
  usable(): boolean;
  kill(): Promise<void>;
};

const WATCH_MS = 40;
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'windir'];

/** glibc gives freed memory back at once, not when it thinks fit: resting workers keep a tenth less, at no time lost. */
const ALLOCATION = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '32768' };

/** What a decoder needs, and none of the server's secrets: it reads strangers' bytes. */
function environment(): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(inherited), ...ALLOCATION, VIPS_BLOCK_UNTRUSTED: '1' };
}

/** Where memory runs out, Linux ends the process with the highest score: a decoder then, and not the server. */
function firstToGo(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Another system, or one that forbids it: then it chooses by itself.
  }
}

export type WorkerOptions = {
  limits: DecodeLimits;
  budget: MemoryBudget;
  /** Its priority among the system's processes, 0 to 19: the higher, the less it gets. */
  nice: number;
  /** Bytes that the system has left for pictures (pool.ts). */
  room: () => number;
};

/**
 * Starts a process for decoding and waits until it is ready.
 * @throws Error where it cannot be started
 */
export async function startWorker(entry: URL, options: WorkerOptions): Promise<WorkerProcess> {
  const child = fork(entry, [String(options.nice)], {
    serialization: 'advanced',
    env: environment(),
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=1', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // At once: while a killed one still holds its memory, the system looks for the next to end.
  if (child.pid !== undefined) firstToGo(child.pid);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve()).once('error', () => resolve());
  });
  child.on('error', () => {});
  await ready(child).catch((error: Error) => {
    throw new Error(`The picture decoder cannot be started: ${error.message}`, { cause: error });
  });
  rest(child);
  return {
    pid: child.pid ?? 0,
    run: (path, wanted) => runJob(child, { path, wanted, ...options }).finally(() => rest(child)),
    usable: () =>
      !child.killed &&
      child.exitCode === null &&
      child.signalCode === null &&
      residentBytes(child.pid ?? 0) < MEMORY_KEPT,
    kill: () => {
      child.ref(); // whoever waits for the end is not left waiting by an empty event loop
      child.kill('SIGKILL');
      return ended;
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let said = '';
  const listen = (text: Buffer) => {
    said = (said + text.toString()).slice(-2000);
  };
  child.stderr?.on('data', listen);
  const stopped = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`it ended at once (${signal ?? code}): ${said.trim()}`);
  });
  try {
    // 'error' of a fork that failed rejects both.
    await Promise.race([once(child, 'message'), stopped]);
  } finally {
    stopped.catch(() => {});
    child.stderr?.off('data', listen).resume(); // warnings of the decoders: read, so that the pipe never fills
  }
}

/** A resting worker does not keep the server's process alive. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  if (child.stderr !== null && 'unref' in child.stderr && typeof child.stderr.unref === 'function')
    child.stderr.unref();
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

type Job = { path: string; wanted: Wanted } & Omit<WorkerOptions, 'nice'>;

async function runJob(child: ChildProcess, { path, wanted, limits, budget, room }: Job): Promise<Outcome> {
  child.ref();
  child.channel?.ref();
  let blame = CRASHED;
  const stop = (detail: string) => {
    blame = detail;
    child.kill('SIGKILL');
  };
  const pid = child.pid ?? 0;
  let time: ReturnType<typeof allow> | undefined = allow(pid, limits.timeoutMs);
  const watch = setInterval(() => {
    const resident = residentBytes(pid);
    if (child.killed) return;
    if (resident > MEMORY_BOUND) stop(TOO_MUCH_MEMORY);
    else if (resident > HEAVY && room() === 0) stop(TOO_LITTLE_MEMORY);
    else if (time?.isUp()) stop(TOO_LONG);
  }, WATCH_MS);
  const grant = budget.request();
  const settled = new Promise<Outcome>((resolve, reject) => {
    child.once('exit', () => resolve({ ok: false, failure: damaged(blame).failure }));
    child.on('message', (message: FromWorker) => {
      if (message.type === 'done') resolve(message.outcome);
      if (message.type === 'fault') reject(Object.assign(new Error(message.fault.message), message.fault));
      if (message.type !== 'need') return;
      time = undefined; // waiting for other pictures is not this one's fault
      grant.whenFree(message.memory, () => {
        if (message.memory > room()) return stop(TOO_LITTLE_MEMORY);
        time = allow(pid, message.timeoutMs);
        send(child, { type: 'grant' });
      });
    });
  });
  send(child, { type: 'decode', path, limits, wanted });
  try {
    return await settled;
  } finally {
    clearInterval(watch);
    grant.release();
    child.removeAllListeners('message').removeAllListeners('exit');
  }
}

/** A worker that has just died cannot be told; its 'exit' says so. */
function send(child: ChildProcess, message: ToWorker): void {
  child.send(message, () => {});
}
