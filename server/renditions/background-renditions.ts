/**
 * Background renditions: screen and AVIF, the newest image first. They are made while the decoder is idle, and aborted when
 * it is needed. The rows of images record what is due; those of attempts record what a process works on and what failed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable } from '../errors.ts';
import type { IdleGate } from './idle-gate.ts';
import { type Attempt, endAttempt, failAttempt, maxTries, takeDue, undoAttempt } from './queries.ts';

type Parts = {
  db: Database;
  idleGate: IdleGate;
  make: (row: ImageRow, signal: AbortSignal) => Promise<unknown>;
  log: Record<'warn' | 'error', (details: object, message: string) => void>;
  /** Milliseconds between two looks for work of other processes. */
  pollEvery?: number;
};

/** Milliseconds for one picture: twice the decoder's time limit for two renditions. */
const timeLimit = 120_000;

/** Maximum milliseconds of a stop. */
const stopTimeout = 2_000;

const isThePictures = (error: unknown) => error instanceof DamagedOriginal || error instanceof RenditionUnavailable;

export function createBackgroundRenditions({ db, idleGate, make, log, pollEvery = 60_000 }: Parts) {
  const closing = new AbortController();
  let alarm = new AbortController();
  let running: Promise<void> | undefined;

  async function fail(attempt: Attempt, err: unknown): Promise<void> {
    await failAttempt(db, attempt);
    const details = { err, image: attempt.row.id, tries: attempt.tries };
    log.warn(details, 'background renditions failed');
    if (attempt.tries === maxTries) log.error(details, 'background renditions failed for good; retrying after a day');
  }

  /** @returns whether there may be more to do @throws failures that are not the picture's, after ending the attempt */
  async function makeNext(): Promise<boolean> {
    const idle = await idleGate.whenIdle();
    if (closing.signal.aborted) return false;
    if (idle.aborted) return true;
    const attempt = await takeDue(db);
    if (!attempt) return false;
    const overtime = AbortSignal.timeout(timeLimit);
    const error = await make(attempt.row, AbortSignal.any([idle, overtime])).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (!error || error instanceof NotFound) {
      await endAttempt(db, attempt);
    } else if (!idle.aborted && (overtime.aborted || isThePictures(error))) {
      await fail(attempt, error);
    } else {
      await undoAttempt(db, attempt);
      if (!idle.aborted) throw error;
    }
    return true;
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      alarm = new AbortController();
      try {
        while (await makeNext());
        await pause(alarm.signal);
      } catch (err) {
        log.warn({ err }, 'background renditions stopped at an error; retrying');
        await pause(closing.signal);
      }
    }
  }

  const pause = (signal: AbortSignal) => sleep(pollEvery, undefined, { signal, ref: false }).catch(() => undefined);

  return {
    start(): void {
      running ??= run();
    },

    /** Call after new images are stored. */
    wake: (): void => alarm.abort(),

    /** Begins no more attempts. Call before the idle gate closes, which aborts the running one. */
    stop(): void {
      closing.abort();
      alarm.abort();
    },

    /** Resolves when the last attempt has ended, or after a time limit; its lease then expires. */
    async close(): Promise<void> {
      this.stop();
      await Promise.race([running, sleep(stopTimeout, undefined, { ref: false })]);
    },
  };
}
