import { ApiError } from '../api/api-error.ts';
import { UploadRefused } from '../api/images.ts';
import { texts } from '../text/upload.ts';
import type { Failure } from './run.ts';

const reasonFor = ({ status, message }: ApiError): string => {
  if (status === 401) return texts.reason.login;
  if (message !== '') return message;
  if (status === 413) return texts.reason.tooLarge;
  return status === 507 ? texts.reason.full : texts.reason.unknown;
};

/** No connection, no session, no right, no service, no space: the next request would end alike. */
const STOPPING = new Set([0, 401, 403, 502, 503, 504, 507]);

/** Seconds where the server asks to wait and does not say how long. */
const USUAL_WAIT = 10;

/** Milliseconds until the same request may succeed; a little more for some than for others, so that not all come at once. */
function waitFor({ status, code, retryAfter = USUAL_WAIT }: ApiError): number | null {
  const asked = status === 429 || (status === 503 && code === 'SERVER_BUSY');
  return asked ? retryAfter * 1000 * (1 + Math.random() / 4) : null;
}

/** What a failed upload request means for its files and for those that wait. */
export function explain(error: unknown): Failure {
  if (!(error instanceof ApiError)) {
    return { reason: texts.reason.unknown, tooMany: false, waitMs: null, stops: false, session: false, rejected: [] };
  }
  const waitMs = waitFor(error);
  return {
    reason: reasonFor(error),
    waitMs,
    // A proxy that finds the whole request too large answers 413 without our code: smaller requests may pass it.
    tooMany: error.code === 'TOO_MANY_FILES' || error.code === 'HTTP_413',
    stops: waitMs === null && STOPPING.has(error.status),
    session: error.status === 401,
    rejected: error instanceof UploadRefused ? [...error.rejected] : [],
  };
}
