import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../database/start-error.ts';
import { statusOf } from './s3/failures.ts';

export type RetryPolicy = {
  /** Milliseconds to wait before each further attempt. */
  pauses?: readonly number[] | undefined;
  signal?: AbortSignal | undefined;
};

/** One minute in total: enough for a restart of the storage's server. */
const defaultPauses = [1_000, 3_000, 6_000, 10_000, 20_000, 20_000];

/** Network errors; a disk reports other codes for an unreadable file. */
const ofTheWay = /^(?:ECONN|EHOST|ENET|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND)/;

/** Client errors, except timeouts, conflicts and throttling, which are transient. */
const isRefusal = (status: number | undefined) =>
  status !== undefined && status >= 400 && status < 500 && ![408, 409, 412, 429].includes(status);

/** Whether the failure concerns the whole storage (unavailable, slow, throttled) rather than one file. */
function concernsStorage(error: unknown): boolean {
  const { cause } = error as Error;
  if (codeOf(error) !== 'STORAGE_UNAVAILABLE' || isRefusal(statusOf(cause))) return false;
  const code = codeOf(cause);
  return code === undefined || ofTheWay.test(code);
}

/** Runs the work and retries transient storage failures for about a minute. @throws the last failure */
export async function withRetry<T>(
  work: () => Promise<T>,
  { pauses = defaultPauses, signal }: RetryPolicy = {},
): Promise<T> {
  for (let time = 0; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauses[time];
      if (pause === undefined || !concernsStorage(error)) throw error;
      await wait(pause, undefined, { signal });
    }
  }
}

/** Describes a permanent failure of one file. @throws the failure, if the storage is unhealthy or the cause differs */
export async function failureOfFile(error: unknown, isHealthy: () => Promise<boolean>): Promise<string> {
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const ofStorage = codeOf(error) === 'STORAGE_UNAVAILABLE' || (error as NodeJS.ErrnoException).syscall !== undefined;
  if (!ofStorage || !(await isHealthy())) throw error;
  return cause.code ?? (cause.name === 'Error' ? cause.message : cause.name);
}
