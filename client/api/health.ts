import { isAway } from './api-error.ts';
import { request } from './client.ts';

/** Whether the server is there and ready, asked once; true, too, as soon as `signal` says so. */
export const isReady = (signal: AbortSignal): Promise<boolean> =>
  request('health/ready', { signal, retry: 0 }).then(
    () => true,
    (error) => !isAway(error),
  );
