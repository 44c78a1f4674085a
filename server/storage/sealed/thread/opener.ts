/**
 * Reads and opens segments in a thread of its own, so that the one that writes the sockets is left for that: with both in one,
 * sealed originals came at 0.6 to 0.75 of the pace of plain ones (bench/sealed.ts).
 */
import { Worker } from 'node:worker_threads';
import type { LeasedBuffer } from '../../object-store.ts';
import { TAG_SIZE } from '../stream-format.ts';
import { type Answer, createAsking, createShared, type Job, type Shared, SLOT_SIZE, SLOTS } from './shared.ts';

/** Bytes of a segment from which on it is worth the way to the thread and back. */
const LEAST = 2 ** 15;
/** Milliseconds of a read, beyond which the bytes came from a disk and not from the system's memory. */
const QUICK = 2;
/** Segments after slow reads that the thread does not read itself: it reads one at a time, and the others would wait for it. */
const AFTER_SLOW = 64;

/** Milliseconds for one segment, after which no others join those that wait: the thread reads from a disk that does not answer. */
const PATIENCE = 100;

export type Opener = {
  /**
   * Answers undefined where the segment is to be read and opened by the one who asks: it is small, or its seal is broken, it cannot be read,
   * all memory of the thread is in use, or the thread is not there, or at another segment for long.
   * @param read fills the buffer with the sealed segment, where the thread does not read it itself; what it throws is thrown
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
  /** Whether it takes anything now. */
  isThere(): boolean;
  bytesOf(slot: number, length: number): Buffer;
  /** Answers undefined where the thread ended before it told. */
  ask(slot: number, job: Job): Promise<Answer | undefined>;
};

type Waiting = { resolve(answer: Answer | undefined): void; since: number };

function warn({ message }: Error): void {
  process.emitWarning(
    `there is no thread that opens sealed pictures: ${message}; from now on they are opened without it`,
  );
}

/** @throws where the system gives no thread, or no memory for it */
function startThread({ entry, quick, patience }: Required<Options>): Thread {
  const shared = createShared();
  const asking = createAsking(shared);
  /** The one that waits longest is the first. */
  const waiting = new Map<number, Waiting>();
  let state: 'begins' | 'runs' | 'ended' = 'begins';
  const workerData: ForThread = { shared, quick };
  const worker = new Worker(entry, { workerData, env: {}, resourceLimits: { maxYoungGenerationSizeMb: 2 } });

  function tell(slot: number, answer: Answer | undefined): void {
    const found = waiting.get(slot);
    waiting.delete(slot);
    // It keeps the process alive only while somebody waits for it.
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

/** Its thread begins with the first segment that is for it, which it does not wait for. */
export function createOpener({
  entry = new URL('./opening-worker.js', import.meta.url),
  quick = QUICK,
  patience = PATIENCE,
}: Options = {}): Opener {
  let thread: Thread | undefined;
  const free = Array.from({ length: SLOTS }, (_, slot) => slot);
  let toRead = 0;

  /** Read already where the thread is not to. */
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
      const giveBack = () => void free.push(slot);
      try {
        const bytes = thread.bytesOf(slot, job.length);
        const answer = await thread.ask(slot, await prepared(job, bytes, read));
        if (answer?.isSlow) toRead = AFTER_SLOW;
        if (answer?.isOpened) return { bytes: bytes.subarray(0, job.length - TAG_SIZE), giveBack };
      } catch (error) {
        giveBack();
        throw error;
      }
      giveBack();
      return undefined;
    },
  };
}
