import type { ApiError } from '../api/api-error.ts';

/** Seconds where the server asks to wait and does not say how long. */
const USUAL_WAIT = 10;

/**
 * Milliseconds after which a refused upload may succeed unchanged, a little more for some than for others, so that not all
 * come at once; null where waiting mends nothing.
 */
export function waitFor({ status, code, retryAfter = USUAL_WAIT }: ApiError): number | null {
  const asked = status === 429 || (status === 503 && code === 'SERVER_BUSY');
  return asked ? retryAfter * 1000 * (1 + Math.random() / 4) : null;
}
