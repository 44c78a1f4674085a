/** What an S3 server or the way to it answers, as one of the product's errors. */
import { NoSpace, StorageUnavailable } from '../../errors.ts';

/** As the SDK throws it. */
type Answered = Error & { $metadata?: { httpStatusCode?: number }; Code?: string; code?: string };

export const statusOf = (error: unknown): number | undefined =>
  (error as Answered | undefined)?.$metadata?.httpStatusCode;

/** The server's word for it, or the system's where it was not reached. */
export const codeOf = (error: unknown): string => {
  const { name, Code, code } = error as Answered;
  return Code ?? (statusOf(error) === undefined ? code : undefined) ?? name;
};

/** Nothing stands under the key. Of a missing bucket one server says so, another answers as for a missing key. */
export const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && ['NoSuchKey', 'NotFound', 'UnknownError', '404'].includes(codeOf(error));

/** Another stands there now than the one that was asked for. */
export const isReplaced = (error: unknown): boolean => statusOf(error) === 412;

const full = new Set(['InsufficientStorage', 'XMinioStorageFull', 'QuotaExceeded', 'EntityTooLarge']);

/** Whether the same call may go well a moment later. */
export function mayPass(error: unknown): boolean {
  const status = statusOf(error);
  // Damaged on its way there.
  if (['BadDigest', 'XAmzContentSHA256Mismatch'].includes(codeOf(error))) return true;
  return (
    status === undefined || status === 408 || status === 429 || (status >= 500 && status !== 501 && !isFull(error))
  );
}

const isFull = (error: unknown) => statusOf(error) === 507 || full.has(codeOf(error));

/** A mistake of this program stays what it is. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof StorageUnavailable || error instanceof NoSpace) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return Object.assign(isFull(error) ? new NoSpace() : new StorageUnavailable(), { cause: error });
}

/** Runs what speaks to the server. @throws NoSpace, StorageUnavailable */
export async function guardedS3<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}
