/** The thread that opens segments (opener.ts): each in its slot, where its plaintext stands only once its tag was found right. */
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { letGo } from '../buffer-memory.ts';
import { BrokenSeal, openSegment } from '../stream-format.ts';
import type { ForThread } from './opener.ts';
import { type Answer, type Backend, createOpening, type Job, SLOT_SIZE } from './shared.ts';

const { shared, quick } = workerData as ForThread;
const { next, answer } = createOpening(shared);

/** Slow reads in a row that are no accident: a thread may have to wait for its turn. */
const IN_A_ROW = 3;
let slow = 0;

/** What it reads itself comes to stand here, where the processor has it at hand. */
const own = Buffer.allocUnsafeSlow(SLOT_SIZE);

/** @returns whether such reads take long */
function read(into: Buffer, { descriptor, at }: Backend): boolean {
  const began = performance.now();
  for (let done = 0; done < into.length; ) {
    const count = readSync(descriptor, into, done, into.length - done, at + done);
    if (count === 0) throw new BrokenSeal('the sealed stream is cut off');
    done += count;
  }
  slow = performance.now() - began > quick ? slow + 1 : 0;
  return slow >= IN_A_ROW;
}

/** What goes wrong is for the asker to find out, who does the same again. */
function open(job: Job, slot: Buffer): Answer {
  let isSlow = false;
  try {
    const sealed = job.place ? own.subarray(0, job.length) : slot;
    if (job.place) isSlow = read(sealed, job.place);
    const plain = openSegment(job.key, job.segment, job.isLast, sealed);
    // One copy by the system's own means: `set` copies into shared memory word by word, three times as slow.
    slot.subarray(0, plain.length).fill(plain);
    letGo(plain);
    return { isOpened: true, isSlow };
  } catch {
    return { isOpened: false, isSlow };
  }
}

// Behind the first turn of the loop, which is the last as well: what the modules began is over by then.
setImmediate(() => {
  for (;;) {
    const { slot, job, bytes } = next();
    if (answer(slot, open(job, bytes))) parentPort?.postMessage(undefined);
  }
});
