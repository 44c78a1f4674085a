/** Work on a storage that may not answer for a while. */
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../database/start-error.ts';
import { statusOf } from './s3/failures.ts';

export type RetryPolicy = {
  /** Milliseconds to wait before each further attempt. */
  pauses?: readonly number[] | undefined;
  signal?: AbortSignal | undefined;
};

/** Together a minute: a server may be restarted meanwhile. */
const defaultPauses = [1_000, 3_000, 6_000, 10_000, 20_000, 20_000];

/** The connection's, as the system names them; a disk has others for a file that it does not give back. */
const ofTheWay = /^(?:ECONN|EHOST|ENET|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND)/;

/** Of a bucket's answers, those that say no: that it is late, asked too much, or just written to by another, passes. */
const isRefusal = (status: number | undefined) =>
  status !== undefined && status >= 400 && status < 500 && ![408, 409, 412, 429].includes(status);

/** What ails the place and not one file: that it is away, late or asked too much. */
function mayPass(error: unknown): boolean {
  const { cause } = error as Error;
  if (codeOf(error) !== 'STORAGE_UNAVAILABLE' || isRefusal(statusOf(cause))) return false;
  const code = codeOf(cause);
  return code === undefined || ofTheWay.test(code);
}

/** Tries again, for a minute in all, what fails because the storage does not answer. @throws what it failed at in the end */
export async function withRetry<T>(
  work: () => Promise<T>,
  { pauses = defaultPauses, signal }: RetryPolicy = {},
): Promise<T> {
  for (let time = 0; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauses[time];
      if (pause === undefined || !mayPass(error)) throw error;
      await wait(pause, undefined, { signal });
    }
  }
}

/**
 * Of a failure that no waiting has mended: what ails one file, in a few words.
 * @param answers whether the storage does; where it does not, it is that which fails
 * @throws the failure itself, where it is no file's own
 */
export async function failureOfFile(error: unknown, isHealthy: () => Promise<boolean>): Promise<string> {
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const ofStorage = codeOf(error) === 'STORAGE_UNAVAILABLE' || (error as NodeJS.ErrnoException).syscall !== undefined;
  if (!ofStorage || !(await isHealthy())) throw error;
  return cause.code ?? (cause.name === 'Error' ? cause.message : cause.name);
}
