/** Measures how long other users' calls take while the server is busy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../call.ts';

export type Probe = {
  /** Milliseconds. */
  p99: number;
  calls: number;
  /** Answers other than 200. */
  failed: string[];
};

/** Calls these paths one after another, every 25 ms. @returns a function that stops and reports */
export function startProbe(origin: string, paths: string[]): () => Promise<Probe> {
  const taken: number[] = [];
  const failed: string[] = [];
  let stopped = false;
  const ask = async () => {
    while (!stopped) {
      for (const path of paths) {
        const start = performance.now();
        const { status } = await call(origin, path);
        taken.push(performance.now() - start);
        if (status !== 200) failed.push(`${path}: ${status}`);
      }
      await sleep(25);
    }
  };
  const asking = ask();
  return async () => {
    stopped = true;
    await asking;
    const sorted = taken.toSorted((a, b) => a - b);
    return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN, calls: taken.length, failed };
  };
}
