/** Passes over a folder for ever. Scans it instead of listening to the system, which misses changes on network drives. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './report.ts';
import { type Found, type Scan, scan } from './scan.ts';

/** Milliseconds between scans; a long scan is repeated less often. */
const usualPause = (scanning: number) => Math.max(2000, 10 * scanning);

/** Milliseconds until a failed file is tried again. */
const untilRetry = 300_000;

const namesOf = ({ failed }: Scan) => new Set(failed.map(({ name }) => name));

const idOf = ({ path, size, mtime }: Found) => `${mtime} ${size} ${path}`;

type Parts = {
  /** The scan before; its failures have been reported. */
  first: Scan;
  /** Whether a file needs no further pass. */
  isDone: (file: Found) => boolean;
  pass: (some: Scan, onFailed: (file: Found) => void) => Promise<Outcome>;
  mayContinue: (stopped: Error) => boolean;
  /** @returns milliseconds until the next scan @param scanning those that the last one took */
  pauseAfter?: (scanning: number) => number;
};

/**
 * Calls `pass` with the files that have settled: a file that is still being copied changes between two scans.
 * @returns the outcome of a pass that was stopped for another reason than a lost connection
 */
export async function watch(
  root: string,
  { first, isDone, pass, mayContinue, pauseAfter = usualPause }: Parts,
): Promise<Outcome> {
  let before = new Set<string>();
  const failedAt = new Map<string, number>();
  let unreadable = namesOf(first);
  for (;;) {
    const begun = Date.now();
    const found = await scan(root);
    const { files } = found;
    const scanning = Date.now() - begun;
    const settled = files.filter((file) => before.has(idOf(file)) && !isDone(file));
    const due = settled.filter((file) => begun - (failedAt.get(idOf(file)) ?? 0) > untilRetry);
    before = new Set(files.map(idOf));
    const failed = found.failed.filter(({ name }) => !unreadable.has(name));
    unreadable = namesOf(found);
    if (due.length > 0 || failed.length > 0) {
      const onFailed = (file: Found) => void failedAt.set(idOf(file), Date.now());
      const outcome = await pass({ ...found, files: due, failed }, onFailed);
      if (outcome.stopped && !mayContinue(outcome.stopped)) return outcome;
    }
    await sleep(pauseAfter(scanning));
  }
}
