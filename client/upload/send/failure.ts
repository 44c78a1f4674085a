import { ApiError, isAway } from '../../api/api-error.ts';
import { UploadRefused } from '../../api/upload-images.ts';
import { upload as texts } from '../../text/words.ts';
import type { Failure } from './environment.ts';
import { isFinalRefusal, isFull } from './final-refusals.ts';
import { retryDelay } from './retry-after.ts';

const reasonFor = ({ status, message }: ApiError): string => {
  if (status === 401) return texts.reason.login;
  if (message !== '') return message;
  if (status === 413) return texts.reason.tooLarge;
  return status === 507 ? texts.reason.full : texts.reason.unknown;
};

/** Unauthenticated, forbidden, ended, out of space: the next request would fail the same way. */
const STOPPING = [401, 403, 410, 507];

/** Classifies the failure of an upload request, for its files and for the waiting ones. */
export function explain(error: unknown): Failure {
  // An error that is not from the API has no status.
  if (!(error instanceof ApiError)) return explain(new ApiError(Number.NaN, '', ''));
  const waitMs = retryDelay(error);
  return {
    reason: reasonFor(error),
    isFinal: isFinalRefusal(error.code),
    waitMs,
    // A proxy that refuses the request's size answers 413 without our code; smaller requests may pass.
    tooMany: error.code === 'TOO_MANY_FILES' || error.code === 'HTTP_413',
    lost: error.status === 0,
    away: isAway(error),
    stops: waitMs === null && (isAway(error) || STOPPING.includes(error.status)),
    full: isFull(error.code),
    session: error.status === 401,
    rejected: error instanceof UploadRefused ? [...error.rejected] : [],
  };
}
