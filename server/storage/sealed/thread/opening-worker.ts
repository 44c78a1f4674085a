/** The decryption worker (opener.ts). A slot holds plaintext only after its tag was verified. */
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { releaseMemory } from '../buffer-memory.ts';
import { BrokenSeal, openSegment } from '../stream-format.ts';
import type { ForThread } from './opener.ts';
import { type Answer, createOpening, type Job, type Place, SLOT_SIZE } from './shared.ts';

const { shared, quick } = workerData as ForThread;
const { next, answer } = createOpening(shared);

/** Slow reads in a row that count: a single one may be a scheduling delay. */
const IN_A_ROW = 3;
let slow = 0;

/** Reused for all reads, so that it stays in the processor's cache. */
const own = Buffer.allocUnsafeSlow(SLOT_SIZE);

/** @returns whether reads are slow */
function read(into: Buffer, { descriptor, at }: Place): boolean {
  const began = performance.now();
  for (let done = 0; done < into.length; ) {
    const count = readSync(descriptor, into, done, into.length - done, at + done);
    if (count === 0) throw new BrokenSeal('the sealed stream is cut off');
    done += count;
  }
  slow = performance.now() - began > quick ? slow + 1 : 0;
  return slow >= IN_A_ROW;
}

/** Failures are not reported: the caller repeats the work and gets the error. */
function open(job: Job, slot: Buffer): Answer {
  let isSlow = false;
  try {
    const sealed = job.place ? own.subarray(0, job.length) : slot;
    if (job.place) isSlow = read(sealed, job.place);
    const plain = openSegment(job.key, job.segment, job.isLast, sealed);
    // `fill` is one memcpy; `set` copies to shared memory word by word, three times slower.
    slot.subarray(0, plain.length).fill(plain);
    releaseMemory(plain);
    return { isOpened: true, isSlow };
  } catch {
    return { isOpened: false, isSlow };
  }
}

// The loop below never ends, so let the modules finish their start first.
setImmediate(() => {
  for (;;) {
    const { slot, job, bytes } = next();
    if (answer(slot, open(job, bytes))) parentPort?.postMessage(undefined);
  }
});
