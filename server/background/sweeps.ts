/** Each process sweeps its own files and bytes; one process, which has the lease, sweeps everything else for all. */
import type { Database } from '../database/connect.ts';
import type { OrphanedBlobs } from '../images/orphaned-blobs/orphaned-blobs.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { takeLease } from './queries.ts';

type Parts = {
  db: Database;
  /** Removes staged files that nothing uses any more. */
  sweepFiles: () => Promise<unknown>;
  orphanedBlobs: Pick<OrphanedBlobs, 'sweepOwn' | 'sweepDead'>;
  log: Record<'info' | 'warn', (details: object, message: string) => void>;
};

type Task = (closing: AbortSignal) => Promise<unknown>;

/** Seconds; less than a minute, so that a process that sweeps each minute finds its own lease expired. */
const lease = 50;

export type Sweeps = ReturnType<typeof createSweeps>;

export function createSweeps({ db, sweepFiles, orphanedBlobs, log }: Parts) {
  const tasks: { what: string; task: Task }[] = [];
  const closing = new AbortController();
  const inFlight = createSingleFlight<void>();

  /** Joins the same sweep if it is running. Logs a failure, so that other sweeps continue. */
  const sweep = (what: string, task: Task) =>
    inFlight.share(what, () =>
      task(closing.signal).then(
        () => undefined,
        (err) => log.warn({ err }, `sweep of ${what} failed; retrying in a minute`),
      ),
    );

  const sweepBytes = (what: string, remove: (signal: AbortSignal) => Promise<number>) =>
    sweep(what, async (signal) => {
      const images = await remove(signal);
      if (images > 0) log.info({ images }, 'removed orphaned blobs');
    });

  async function sweepOwn(): Promise<void> {
    await sweep('stale staging files', sweepFiles);
    await sweepBytes('orphaned blobs', orphanedBlobs.sweepOwn);
  }

  const purge = () => sweepBytes('orphaned blobs of dead processes', orphanedBlobs.sweepDead);

  async function runTasks(): Promise<void> {
    for (const { what, task } of tasks) if (!closing.signal.aborted) await sweep(what, task);
  }

  return {
    /** Adds a task that one process runs for all, once a minute. @param what it sweeps, for the log */
    add: (what: string, task: Task): void => void tasks.push({ what, task }),

    sweepOwn,

    /** Removes the bytes of processes that have ended; never throws. */
    purge,

    /** Sweeps everything except its own, unless another process has done so in this minute; never throws. */
    sweepShared: (): Promise<void> =>
      sweep('shared leftovers', async () => {
        if (!(await takeLease(db, 'sweep', lease))) return;
        // It may take long, after large accounts were deleted.
        void purge();
        await runTasks();
      }),

    /** Runs all sweeps now, whoever has the lease; never throws. */
    async run(): Promise<void> {
      await sweepOwn();
      await purge();
      await runTasks();
    },

    stop: (): void => closing.abort(),
    settled: inFlight.settled,
  };
}
