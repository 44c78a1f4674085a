import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { commandOf, isCaged, type Launch } from '../cage/launch.ts';
import { type Frame, REPLY_DESCRIPTOR, readFrames } from '../protocol/frames.ts';
import type { ToWorker } from '../protocol/messages.ts';
import { readReply } from '../protocol/replies.ts';
import { SLOT_DESCRIPTOR } from './slot.ts';

/** A running decoder. Requests are lines of JSON, replies are frames. */
export type DecoderProcess = {
  /** The decoder's pid, not its launcher's. */
  readonly pid: number;
  send(message: ToWorker): void;
  /** Sets the receiver of replies. A reply without a receiver ends the decoder. */
  listen(onFrame: ((frame: Frame) => void) | undefined): void;
  /** Calls back when it has ended, also if it already has. @returns a function that cancels the callback */
  onExit(callback: () => void): () => void;
  isAlive(): boolean;
  /** Whether SIGKILL ended it, sent by another program or by the kernel. */
  wasKilled(): boolean;
  kill(): Promise<void>;
  /** Whether the decoder keeps the event loop alive. */
  setRef(isReferenced: boolean): void;
};

type ProcessOptions = {
  launch: Launch;
  nice: number;
  input: number | undefined;
  signal?: AbortSignal | undefined;
};

export class EndedEarly extends Error {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;

  constructor(message: string, exitCode: number | null, signal: NodeJS.Signals | null) {
    super(message);
    this.exitCode = exitCode;
    this.signal = signal;
  }
}

const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'windir'];

/**
 * Makes glibc return blocks of 128 kB or more at once, and smaller ones once 4 MB of them are free: an idle worker keeps little.
 * Returning all at once takes a twentieth more processor time, for fresh pages.
 */
const ALLOCATION = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '131072' };

/**
 * Only options that Node documents and accepts in NODE_OPTIONS: other options of V8 may disappear with any version. A
 * decoder's JavaScript runs for a few milliseconds at a time, so one thread is enough for its compiler and collector.
 */
export const NODE_OPTIONS = ['--max-old-space-size=256', '--max-semi-space-size=1', '--v8-pool-size=1', '--expose-gc'];

/** The decoder's environment, without the server's secrets: it reads untrusted bytes. */
function environment(): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(inherited), ...ALLOCATION, VIPS_BLOCK_UNTRUSTED: '1', PERL_BADLANG: '0' };
}

/** When memory runs out, Linux kills the process with the highest score: a decoder rather than the server. */
function firstToGo(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Not Linux, or not permitted: the default score applies.
  }
}

/** @throws Error if the decoder cannot start or ends before it is ready */
export async function startProcess(entry: URL, options: ProcessOptions): Promise<DecoderProcess> {
  const child = launchChild(realpathSync(fileURLToPath(entry)), options);
  // Immediately: while a killed decoder still holds its memory, the system selects the next process.
  if (child.pid !== undefined) firstToGo(child.pid);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve()).once('error', () => resolve());
  });
  let listener: ((frame: Frame) => void) | undefined;
  let pid = child.pid ?? 0;
  let killed = false;

  function kill(): Promise<void> {
    killed = true;
    setRef(child, true); // until the end
    if (isRunning(child)) end(child, pid, options.launch);
    return closed;
  }

  readFrames(
    child.stdio[REPLY_DESCRIPTOR] as Readable,
    (frame) => (listener ? listener(frame) : void kill()),
    () => void kill(),
  );
  const { signal } = options;
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      void kill();
      reject(signal?.reason); // immediately: its child processes may hold the pipes open
    };
  });
  aborted.catch(() => {});
  signal?.addEventListener('abort', abort, { once: true });
  void closed.then(() => signal?.removeEventListener('abort', abort));
  try {
    signal?.throwIfAborted();
    const isReady = new Promise<void>((resolve, reject) => {
      listener = (frame) =>
        readReply(frame, undefined)?.type === 'ready' ? resolve() : reject(new Error('unexpected reply'));
    });
    [pid] = await beforeItEnds(
      child,
      Promise.race([Promise.all([isCaged(options.launch) ? announced(child) : pid, isReady]), aborted]),
    );
  } catch (error) {
    void kill();
    throw error;
  }
  listener = undefined;
  return {
    pid,
    kill,
    send: (message) => void child.stdin?.write(`${JSON.stringify(message)}\n`),
    listen: (onFrame) => {
      listener = onFrame;
    },
    onExit(callback) {
      if (isRunning(child)) child.once('exit', callback);
      else callback();
      return () => child.off('exit', callback);
    },
    isAlive: () => !killed && isRunning(child),
    // A cage's launcher exits with 128 and the signal's number.
    wasKilled: () => !killed && (child.signalCode === 'SIGKILL' || child.exitCode === 137),
    setRef: (isReferenced) => setRef(child, isReferenced),
  };
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

function launchChild(entry: string, { launch, nice, input }: ProcessOptions): ChildProcess {
  const caged = isCaged(launch);
  const [command, ...args] = commandOf(launch, { entry, args: [...NODE_OPTIONS, entry], nice });
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', caged ? 'pipe' : 'ignore', 'pipe'];
  stdio[REPLY_DESCRIPTOR] = 'pipe';
  stdio[SLOT_DESCRIPTOR] = input ?? 'ignore';
  const child = spawn(command, args, { env: environment(), stdio, ...(caged && { cwd: '/' }) });
  child.on('error', () => {});
  child.stdin?.on('error', () => {}); // a write to a dead decoder; 'exit' reports it
  return child;
}

/** Reads the decoder's pid, as seen from outside, which cage.pl writes before the decoder starts. */
async function announced({ stdout }: ChildProcess): Promise<number> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  // The launcher ended before it announced a pid. Its exit code and stderr arrive later and show why.
  if (text === '') return new Promise(() => {});
  const pid = Number(/^(\d{1,10}) \d+\n$/.exec(text)?.[1]);
  if (!(pid > 1)) throw new Error('its process id is not known');
  return pid;
}

async function beforeItEnds<T>(child: ChildProcess, ready: Promise<T>): Promise<T> {
  let stderr = '';
  const read = (text: Buffer) => {
    stderr = (stderr + text.toString()).slice(-2000);
  };
  child.stderr?.on('data', read);
  // 'close' comes after all output was read; 'exit' may not. An 'error' event rejects.
  const stopped = once(child, 'close').then(([code, signal]) => {
    throw new EndedEarly(stderr.trim() || `it ended at once (${signal ?? code})`, code, signal);
  });
  ready.catch(() => {});
  try {
    return await Promise.race([ready, stopped]);
  } finally {
    stopped.catch(() => {});
    child.stderr?.off('data', read).resume(); // discards warnings, so that the pipe never fills
  }
}

/** Kills the decoder itself; in namespaces, the process that waits outside ends with it. */
function end(child: ChildProcess, pid: number, { as }: Launch): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return void child.kill('SIGKILL');
    // The decoder has another user, who must send the signal.
    const [command, ...args] = [...(as ?? []), 'perl', '-e', 'kill "KILL", shift', String(pid)];
    if (command !== undefined) spawn(command, args, { env: environment(), stdio: 'ignore' }).on('error', () => {});
  }
}

function setRef(child: ChildProcess, isReferenced: boolean): void {
  for (const one of [child, ...child.stdio]) {
    // Node's pipes have both methods; its types omit them.
    const { ref, unref, destroyed } = (one ?? {}) as { ref?: () => void; unref?: () => void; destroyed?: boolean };
    if (!destroyed) (isReferenced ? ref : unref)?.call(one);
  }
}
