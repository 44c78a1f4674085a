/**
 * Opens segments in a thread of its own, so that the one that writes the sockets is left for that: with both in one, sealed
 * originals came at 0.6 to 0.75 of the pace of plain ones (bench/sealed.ts).
 */
import { Worker } from 'node:worker_threads';
import type { Lent } from '../../objects.ts';
import { BrokenSeal, TAG_SIZE } from '../stream-format.ts';
import { type Asking, createAsking, createShared, type Job, SLOT_SIZE, SLOTS } from './shared.ts';

/** Bytes of a segment from which on it is worth the way to the thread and back. */
const LEAST = 2 ** 15;

export type Opener = {
  /**
   * Answers undefined where the segment is better opened by the one who asks: it is small, all memory of the thread is in use, or
   * the thread is not there.
   * @param read fills the buffer with the sealed segment
   * @throws BrokenSeal, and what `read` throws
   */
  open(job: Job, read: (into: Buffer) => Promise<void>): Promise<Lent | undefined>;
};

const ENTRY = new URL('./opening-worker.js', import.meta.url);

type Thread = {
  /** Whether it takes anything. */
  isThere(): boolean;
  bytesOf: Asking['bytesOf'];
  /** @returns whether the seal was whole; undefined where the thread ended before it told */
  ask(slot: number, job: Job): Promise<boolean | undefined>;
};

function startThread(entry: URL): Thread {
  const shared = createShared();
  const asking = createAsking(shared);
  const waiting = new Map<number, (isOpened: boolean | undefined) => void>();
  let state: 'begins' | 'runs' | 'ended' = 'begins';
  const worker = new Worker(entry, { workerData: shared, env: {}, resourceLimits: { maxYoungGenerationSizeMb: 2 } });

  function answer(slot: number, isOpened: boolean | undefined): void {
    const resolve = waiting.get(slot);
    waiting.delete(slot);
    // It keeps the process alive only while somebody waits for it.
    if (waiting.size === 0) worker.unref();
    resolve?.(isOpened);
  }

  worker.on('online', () => {
    state = 'runs';
  });
  worker.on('message', () => asking.hear(answer));
  worker.on('error', ({ message }) => {
    process.emitWarning(
      `the thread that opens sealed pictures ended: ${message}; from now on they are opened without it`,
    );
  });
  worker.on('exit', () => {
    state = 'ended';
    asking.hear(answer);
    for (const slot of [...waiting.keys()]) answer(slot, undefined);
  });
  worker.unref();
  return {
    isThere: () => state === 'runs',
    bytesOf: asking.bytesOf,
    async ask(slot, job) {
      if (state === 'ended') return undefined;
      if (waiting.size === 0) worker.ref();
      return new Promise((resolve) => {
        waiting.set(slot, resolve);
        asking.ask(slot, job);
      });
    },
  };
}

/** Its thread begins with the first segment that is for it, which it does not wait for. */
export function createOpener(entry = ENTRY): Opener {
  let thread: Thread | undefined;
  const free = Array.from({ length: SLOTS }, (_, slot) => slot);
  return {
    async open(job, read) {
      if (job.length < LEAST || job.length > SLOT_SIZE) return undefined;
      thread ??= startThread(entry);
      const slot = thread.isThere() ? free.pop() : undefined;
      if (slot === undefined) return undefined;
      const giveBack = () => void free.push(slot);
      try {
        const bytes = thread.bytesOf(slot, job.length);
        await read(bytes);
        const isOpened = await thread.ask(slot, job);
        if (isOpened) return { bytes: bytes.subarray(0, job.length - TAG_SIZE), giveBack };
        if (isOpened === false) throw new BrokenSeal(`the tag of segment ${job.segment} is wrong`);
      } catch (error) {
        giveBack();
        throw error;
      }
      giveBack();
      return undefined;
    },
  };
}
