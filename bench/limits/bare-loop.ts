import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from '../bench.ts';

export type BareWork = { paths: string[]; atOnce: number };

/** `each`: milliseconds of each thumbnail. */
export type BareResult = { ms: number; processorMs: number; each: number[] };

export type BareLoop = (work: BareWork) => Promise<BareResult>;

/** Starts the process that makes bare thumbnails; it is idle between calls and ends with the bench. */
export function startBareLoop(bench: Bench): BareLoop {
  const child = fork(new URL('./bare-thumbnails.js', import.meta.url), { env: { PATH: process.env.PATH } });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the bare loop ended with ${code}`);
  });
  failed.catch(() => {}); // reported by the caller that waits for a result
  bench.after(() => child.disconnect());
  return async (work) => {
    child.send(work);
    const [result] = await Promise.race([once(child, 'message'), failed]);
    return result as BareResult;
  };
}
