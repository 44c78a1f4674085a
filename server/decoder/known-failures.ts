/** The decoder's own failures as the product's errors: what it says of a picture stays as it is. */
import { DecoderUnavailable } from '../errors.ts';
import { asStorageError } from '../storage/failures.ts';
import type { DecoderPool } from './pool/pool.ts';

/**
 * A decoder that says of every failure whose it is.
 * @throws NoSpace, StorageUnavailable where the file cannot be read; DecoderUnavailable where no decoder can be started,
 * or the pool is closed; the reason of an aborted signal
 */
export function withKnownFailures(decoder: DecoderPool): DecoderPool {
  return {
    ...decoder,
    async decode(path, options) {
      try {
        return await decoder.decode(path, options);
      } catch (error) {
        options?.signal?.throwIfAborted();
        const known = asStorageError(error);
        throw known === error ? Object.assign(new DecoderUnavailable(), { cause: error }) : known;
      }
    },
  };
}
