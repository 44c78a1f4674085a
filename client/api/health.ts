import { isAway } from './api-error.ts';
import { request } from './client.ts';

/** Timeout of the check. */
const TIMEOUT_MS = 5_000;

/** Whether the server is reachable and ready, without retries; also true once `signal` aborts. */
export const isReady = (signal: AbortSignal): Promise<boolean> =>
  request('health/ready', { signal, retry: 0, timeout: TIMEOUT_MS }).then(
    () => true,
    (error) => !isAway(error),
  );
