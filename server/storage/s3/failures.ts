import { NoSpace, StorageUnavailable } from '../../errors.ts';

type Answered = Error & { $metadata?: { httpStatusCode?: number }; Code?: string; code?: string };

export const statusOf = (error: unknown): number | undefined =>
  (error as Answered | undefined)?.$metadata?.httpStatusCode;

/** The server's error code, or the system's if the server was not reached. */
export const codeOf = (error: unknown): string => {
  const { name, Code, code } = error as Answered;
  return Code ?? (statusOf(error) === undefined ? code : undefined) ?? name;
};

/** There is no object. For a missing bucket, some servers respond as for a missing key. */
export const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && ['NoSuchKey', 'NotFound', 'UnknownError', '404'].includes(codeOf(error));

export const isReplaced = (error: unknown): boolean => statusOf(error) === 412;

const full = new Set(['InsufficientStorage', 'XMinioStorageFull', 'QuotaExceeded', 'EntityTooLarge']);

export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  // Damaged in transit.
  if (['BadDigest', 'XAmzContentSHA256Mismatch'].includes(codeOf(error))) return true;
  return (
    status === undefined || status === 408 || status === 429 || (status >= 500 && status !== 501 && !isFull(error))
  );
}

const isFull = (error: unknown) => statusOf(error) === 507 || full.has(codeOf(error));

/** Turns a failure of the server or the network into one of the product's errors; programming errors stay unchanged. */
function asStorageError(error: unknown): unknown {
  if (error instanceof StorageUnavailable || error instanceof NoSpace) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return Object.assign(isFull(error) ? new NoSpace() : new StorageUnavailable(), { cause: error });
}

/** Runs calls to the server. @throws NoSpace, StorageUnavailable */
export async function guardedS3<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}
