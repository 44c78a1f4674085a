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

/** A running decoder, and the two ways to it: requests go in as lines of JSON, replies come out as frames. */
export type DecoderProcess = {
  /** Of the decoder itself, whatever it was started by. */
  readonly pid: number;
  send(message: ToWorker): void;
  /** Where replies go. One that comes while nobody listens ends the decoder. */
  listen(onFrame: ((frame: Frame) => void) | undefined): void;
  /** Calls back once it has ended, at once where it has already. @returns what stops that */
  onExit(callback: () => void): () => void;
  isAlive(): boolean;
  /** Resolves when it is gone and its pipes are closed. */
  kill(): Promise<void>;
  /** Whether it keeps the server's process alive. */
  hold(held: boolean): void;
};

export type ProcessOptions = {
  launch: Launch;
  /** Its priority among the system's processes, 0 to 19: the higher, the less it gets. */
  nice: number;
  /** The descriptor of its slot. */
  input: number | undefined;
  /** Ends it, also while it starts. */
  signal?: AbortSignal | undefined;
};

/** It ended before it was ready, of itself or by a signal. */
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

/** glibc gives freed memory back at once, not when it thinks fit: resting workers keep a tenth less, at no time lost. */
const ALLOCATION = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '32768' };

const FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=1', '--expose-gc'];

/** What a decoder needs, and none of the server's secrets: it reads strangers' bytes. */
function environment(): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(inherited), ...ALLOCATION, VIPS_BLOCK_UNTRUSTED: '1', PERL_BADLANG: '0' };
}

/** Where memory runs out, Linux ends the process with the highest score: a decoder then, and not the server. */
function firstToGo(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Another system, or one that forbids it: then it chooses by itself.
  }
}

/** @throws Error where it cannot be started, or ends before it is ready */
export async function startProcess(entry: URL, options: ProcessOptions): Promise<DecoderProcess> {
  const child = launchChild(realpathSync(fileURLToPath(entry)), options);
  // At once: while a killed one still holds its memory, the system looks for the next to end.
  if (child.pid !== undefined) firstToGo(child.pid);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve()).once('error', () => resolve());
  });
  let listener: ((frame: Frame) => void) | undefined;
  let pid = child.pid ?? 0;
  let killed = false;

  function kill(): Promise<void> {
    killed = true;
    hold(child, true); // whoever waits for the end is not left waiting by an empty event loop
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
      reject(signal?.reason); // at once: what it has started may hold its pipes open
    };
  });
  aborted.catch(() => {});
  signal?.addEventListener('abort', abort, { once: true });
  void closed.then(() => signal?.removeEventListener('abort', abort));
  try {
    signal?.throwIfAborted();
    const isReady = new Promise<void>((resolve, reject) => {
      listener = (frame) =>
        readReply(frame, undefined)?.type === 'ready' ? resolve() : reject(new Error('it replied'));
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
    hold: (held) => hold(child, held),
  };
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

function launchChild(entry: string, { launch, nice, input }: ProcessOptions): ChildProcess {
  const caged = isCaged(launch);
  const [command, ...args] = commandOf(launch, entry, [...FLAGS, entry, String(nice)]);
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', caged ? 'pipe' : 'ignore', 'pipe'];
  stdio[REPLY_DESCRIPTOR] = 'pipe';
  stdio[SLOT_DESCRIPTOR] = input ?? 'ignore';
  const child = spawn(command, args, { env: environment(), stdio, ...(caged && { cwd: '/' }) });
  child.on('error', () => {});
  child.stdin?.on('error', () => {}); // one that has just died cannot be told; its 'exit' says so
  return child;
}

/** What cage.pl writes before the decoder starts: its process id, as seen from here. */
async function announced({ stdout }: ChildProcess): Promise<number> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  // The launcher ended before it announced one. Its exit code and what it wrote to stderr, which say why, arrive later.
  if (text === '') return new Promise(() => {});
  const pid = Number(/^(\d{1,10}) \d+\n$/.exec(text)?.[1]);
  if (!(pid > 1)) throw new Error('its process id is not known');
  return pid;
}

async function beforeItEnds<T>(child: ChildProcess, ready: Promise<T>): Promise<T> {
  let said = '';
  const listen = (text: Buffer) => {
    said = (said + text.toString()).slice(-2000);
  };
  child.stderr?.on('data', listen);
  // 'close', not 'exit': what it said last is read by then. 'error' of a start that failed rejects.
  const stopped = once(child, 'close').then(([code, signal]) => {
    throw new EndedEarly(said.trim() || `it ended at once (${signal ?? code})`, code, signal);
  });
  ready.catch(() => {});
  try {
    return await Promise.race([ready, stopped]);
  } finally {
    stopped.catch(() => {});
    child.stderr?.off('data', listen).resume(); // warnings of the decoders: read, so that the pipe never fills
  }
}

/** The decoder itself: in namespaces, what waits for it outside ends with it. */
function end(child: ChildProcess, pid: number, { as }: Launch): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return void child.kill('SIGKILL');
    // Another user's: that user ends it.
    const [command, ...args] = [...(as ?? []), 'perl', '-e', 'kill "KILL", shift', String(pid)];
    if (command !== undefined) spawn(command, args, { env: environment(), stdio: 'ignore' }).on('error', () => {});
  }
}

function hold(child: ChildProcess, held: boolean): void {
  for (const one of [child, ...child.stdio]) {
    // Node's pipes have both; its types leave them out.
    const { ref, unref, destroyed } = (one ?? {}) as { ref?: () => void; unref?: () => void; destroyed?: boolean };
    if (!destroyed) (held ? ref : unref)?.call(one);
  }
}
