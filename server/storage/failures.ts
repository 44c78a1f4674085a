/** A failure of the disk as one of the product's errors. */
import { NoSpace, StorageUnavailable } from '../errors.ts';

const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT']);

/** Any other error stays what it is. */
function asStorageError(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code && noSpaceCodes.has(code)) return Object.assign(new NoSpace(), { cause: error });
  if (code && syscall) return Object.assign(new StorageUnavailable(), { cause: error });
  return error;
}

export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}

/** For `catch`: undefined where nothing is there, else the error again. */
export function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
