import type { ApiError } from '../../api/api-error.ts';

/** Seconds to wait if the server requests a wait without a length. */
const USUAL_WAIT = 10;

/** Milliseconds to wait before sending a refused upload again, with jitter to spread the load; null if waiting does not help. */
export function retryDelay({ status, code, retryAfter = USUAL_WAIT }: ApiError): number | null {
  const asked = status === 429 || (status === 503 && code === 'SERVER_BUSY');
  return asked ? retryAfter * 1000 * (1 + Math.random() / 4) : null;
}
