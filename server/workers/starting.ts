/** A start waits while the database or the S3 server is unreachable, as a running server does. */
import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable } from '../database/connect.ts';
import { codeOf, messageOf } from '../database/start-error.ts';
import { isTransient } from '../storage/s3/failures.ts';

type Options = {
  /** Receives the reason of the wait: at once, when it changes, and once a minute. */
  say: (line: string) => void;
  signal: AbortSignal;
  /** Milliseconds between two attempts. */
  pause?: number;
};

const minute = 60_000;

/** Whether an external service is unreachable, which may pass, rather than a setting wrong. */
export function isOutage(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  const { cause } = error as Error;
  const ofStorage = ['CONFIG', 'STORAGE_UNAVAILABLE'].includes(codeOf(error) ?? '');
  return ofStorage && cause instanceof Error && isTransient(cause);
}

/**
 * Retries each second while a service is unreachable: the supervisor's growing pauses would add a minute of downtime.
 * @param start leaves nothing running if it fails
 * @throws errors that waiting does not fix; the last one if the wait is aborted
 */
export async function whenReachable<T>(start: () => Promise<T>, { say, signal, pause = 1_000 }: Options): Promise<T> {
  let last = { reason: '', at: Number.NEGATIVE_INFINITY };
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      const reason = messageOf(error);
      if (reason !== last.reason || performance.now() - last.at >= minute) {
        last = { reason, at: performance.now() };
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
