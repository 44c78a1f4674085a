import { constants } from 'node:os';
import { NoSpace, StorageUnavailable } from '../errors.ts';

/** By number: Node has no name for EDQUOT. */
const noSpace = new Set([-constants.errno.ENOSPC, -constants.errno.EDQUOT]);

/** Turns a disk failure into one of the product's errors; returns other errors unchanged. */
export function asStorageError(error: unknown): unknown {
  const { code, errno, syscall } = error as NodeJS.ErrnoException;
  if (errno && noSpace.has(errno)) return Object.assign(new NoSpace(), { cause: error });
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

/** For `catch`: returns undefined for ENOENT, otherwise rethrows. */
export function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
