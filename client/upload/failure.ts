import { ApiError, isAway } from '../api/api-error.ts';
import { UploadRefused } from '../api/images.ts';
import { texts } from '../text/upload.ts';
import type { Failure } from './run-host.ts';
import { waitFor } from './waiting.ts';

const reasonFor = ({ status, message }: ApiError): string => {
  if (status === 401) return texts.reason.login;
  if (message !== '') return message;
  if (status === 413) return texts.reason.tooLarge;
  return status === 507 ? texts.reason.full : texts.reason.unknown;
};

/** No session, no right, no space: the next request would end alike. */
const STOPPING = [401, 403, 507];

/** What a failed upload request means for its files and for those that wait. */
export function explain(error: unknown): Failure {
  // What no server has said has no status.
  if (!(error instanceof ApiError)) return explain(new ApiError(Number.NaN, '', ''));
  const waitMs = waitFor(error);
  return {
    reason: reasonFor(error),
    waitMs,
    // A proxy that finds the whole request too large answers 413 without our code: smaller requests may pass it.
    tooMany: error.code === 'TOO_MANY_FILES' || error.code === 'HTTP_413',
    lost: error.status === 0,
    away: isAway(error),
    stops: waitMs === null && (isAway(error) || STOPPING.includes(error.status)),
    full: error.code === 'QUOTA_EXCEEDED',
    session: error.status === 401,
    rejected: error instanceof UploadRefused ? [...error.rejected] : [],
  };
}
