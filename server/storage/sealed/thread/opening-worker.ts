/** The thread that opens segments (opener.ts): each in its place, where its plaintext stands only once its tag was found right. */
import { parentPort, workerData } from 'node:worker_threads';
import { letGo } from '../memory.ts';
import { openSegment } from '../stream-format.ts';
import { createOpening, type Shared } from './shared.ts';

const { next, opened } = createOpening(workerData as Shared);

function open({ job, bytes }: ReturnType<typeof next>): boolean {
  try {
    const plain = openSegment(job.key, job.segment, job.isLast, bytes);
    bytes.set(plain);
    letGo(plain);
    return true;
  } catch {
    return false;
  }
}

// Behind the first turn of the loop, which is the last as well: what the modules began is over by then.
setImmediate(() => {
  for (;;) {
    const work = next();
    if (opened(work.slot, open(work))) parentPort?.postMessage(undefined);
  }
});
