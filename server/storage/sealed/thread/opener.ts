/**
 * Reads and decrypts segments in a worker thread, so that the main thread is free to write to sockets. On one thread,
 * sealed originals reached 0.6 to 0.75 of the throughput of plain ones (bench/sealed.ts).
 */
import { Worker } from 'node:worker_threads';
import type { LeasedBuffer } from '../../object-store.ts';
import { TAG_SIZE } from '../stream-format.ts';
import { type Answer, createAsking, createShared, type Job, type Shared, SLOT_SIZE, SLOTS } from './shared.ts';

/** Smallest segment, in bytes, that is worth the round trip to the thread. */
const LEAST = 2 ** 15;
/** Milliseconds above which a read came from the disk rather than the page cache. */
const QUICK = 2;
/** Number of segments that the caller reads after slow reads: the thread's sequential reads would delay the others. */
const AFTER_SLOW = 64;

/** Milliseconds for one segment after which the thread gets no further jobs: its disk may not respond. */
const PATIENCE = 100;

export type Opener = {
  /**
   * Opens a segment. Returns undefined if the caller should: the segment is small, broken or unreadable, no slot is
   * free, or the thread is not running or busy for too long.
   * @param read fills the buffer with the sealed segment if the thread does not read it; its errors are rethrown
   */
  open(job: Job, read: (into: Buffer) => Promise<void>): Promise<LeasedBuffer | undefined>;
};

export type Options = {
  entry?: URL;
  /** Milliseconds. */
  quick?: number;
  patience?: number;
};

export type ForThread = { shared: Shared; quick: number };

type Thread = {
  isThere(): boolean;
  bytesOf(slot: number, length: number): Buffer;
  /** Returns undefined if the thread ended before it answered. */
  ask(slot: number, job: Job): Promise<Answer | undefined>;
};

type Waiting = { resolve(answer: Answer | undefined): void; since: number };

function warn({ message }: Error): void {
  process.emitWarning(
    `the decryption worker for sealed pictures is not running: ${message}; they are decrypted without it from now on`,
  );
}

/** @throws if the system provides no thread, or no memory for it */
function startThread({ entry, quick, patience }: Required<Options>): Thread {
  const shared = createShared();
  const asking = createAsking(shared);
  /** The longest-waiting job comes first. */
  const waiting = new Map<number, Waiting>();
  let state: 'begins' | 'runs' | 'ended' = 'begins';
  const workerData: ForThread = { shared, quick };
  const worker = new Worker(entry, { workerData, env: {}, resourceLimits: { maxYoungGenerationSizeMb: 2 } });

  function tell(slot: number, answer: Answer | undefined): void {
    const found = waiting.get(slot);
    waiting.delete(slot);
    // The thread keeps the process alive only while a job is pending.
    if (waiting.size === 0) worker.unref();
    found?.resolve(answer);
  }

  worker.on('online', () => {
    state = 'runs';
  });
  worker.on('message', () => asking.hear(tell));
  worker.on('error', warn);
  worker.on('exit', () => {
    state = 'ended';
    asking.hear(tell);
    for (const slot of [...waiting.keys()]) tell(slot, undefined);
  });
  worker.unref();

  function isStuck(): boolean {
    const [longest] = waiting.values();
    return longest !== undefined && performance.now() - longest.since > patience;
  }

  return {
    isThere: () => state === 'runs' && !isStuck(),
    bytesOf: asking.bytesOf,
    async ask(slot, job) {
      if (state === 'ended') return undefined;
      if (waiting.size === 0) worker.ref();
      return new Promise((resolve) => {
        waiting.set(slot, { resolve, since: performance.now() });
        asking.ask(slot, job);
      });
    },
  };
}

const none: Thread = { isThere: () => false, bytesOf: () => Buffer.alloc(0), ask: async () => undefined };

/** Starts the thread with the first suitable segment, without waiting for it. */
export function createOpener({
  entry = new URL('./opening-worker.js', import.meta.url),
  quick = QUICK,
  patience = PATIENCE,
}: Options = {}): Opener {
  let thread: Thread | undefined;
  const free = Array.from({ length: SLOTS }, (_, slot) => slot);
  let toRead = 0;

  /** Reads the segment here if the thread should not. */
  async function prepared({ place, ...job }: Job, into: Buffer, read: (into: Buffer) => Promise<void>): Promise<Job> {
    if (place && toRead === 0) return { ...job, place };
    if (place) toRead -= 1;
    await read(into);
    return job;
  }

  function begun(): Thread {
    try {
      return startThread({ entry, quick, patience });
    } catch (error) {
      warn(error as Error);
      return none;
    }
  }

  return {
    async open(job, read) {
      if (job.length < LEAST || job.length > SLOT_SIZE) return undefined;
      thread ??= begun();
      const slot = thread.isThere() ? free.pop() : undefined;
      if (slot === undefined) return undefined;
      const release = () => void free.push(slot);
      try {
        const bytes = thread.bytesOf(slot, job.length);
        const answer = await thread.ask(slot, await prepared(job, bytes, read));
        if (answer?.isSlow) toRead = AFTER_SLOW;
        if (answer?.isOpened) return { bytes: bytes.subarray(0, job.length - TAG_SIZE), release };
      } catch (error) {
        release();
        throw error;
      }
      release();
      return undefined;
    },
  };
}
