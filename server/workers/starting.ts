/** A start waits for a database or an S3 server that is away, as a server that runs does. */
import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable } from '../database/connect.ts';
import { codeOf, messageOf } from '../database/start-error.ts';
import { mayPass } from '../storage/s3/failures.ts';

type Options = {
  /** Told why the start waits: at once, whenever the reason changes, and once a minute. */
  say: (line: string) => void;
  /** Ends the wait. */
  signal: AbortSignal;
  /** Milliseconds between two attempts. */
  pause?: number;
};

const minute = 60_000;

/** Whether an external engine is away, rather than that a setting is wrong: it may be back a moment later. */
export function isOutage(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  const { cause } = error as Error;
  const ofStorage = ['CONFIG', 'STORAGE_UNAVAILABLE'].includes(codeOf(error) ?? '');
  return ofStorage && cause instanceof Error && mayPass(cause);
}

/**
 * Tries a start again each second until what it needs is there. Left to a supervisor, whose pauses grow, a server is away for
 * a minute or more after the outage has ended.
 * @param start leaves nothing running where it fails
 * @throws what no waiting changes; the last failure where the wait was ended
 */
export async function whenReachable<T>(start: () => Promise<T>, { say, signal, pause = 1_000 }: Options): Promise<T> {
  let told = { reason: '', at: Number.NEGATIVE_INFINITY };
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      const reason = messageOf(error);
      if (reason !== told.reason || performance.now() - told.at >= minute) {
        told = { reason, at: performance.now() };
        say(`${reason} The start waits for it, and tries again every second.`);
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}

/** Settings that an administrator can correct are reported in one line; any other error is a bug and is printed whole. */
export function refuseToStart(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'CONFIG' || code === 'DATABASE_START' ? message : error);
  process.exit(1);
}
