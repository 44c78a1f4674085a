import { isAway } from './api-error.ts';
import { request } from './client.ts';

/** Of a server that is there and ready. */
const PATIENCE_MS = 5_000;

/** Whether the server is there and ready, asked once; true, too, as soon as `signal` says so. */
export const isReady = (signal: AbortSignal): Promise<boolean> =>
  request('health/ready', { signal, retry: 0, timeout: PATIENCE_MS }).then(
    () => true,
    (error) => !isAway(error),
  );
