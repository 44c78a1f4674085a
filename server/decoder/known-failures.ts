import { DecoderUnavailable } from '../errors.ts';
import { asStorageError } from '../storage/failures.ts';
import type { DecoderPool } from './pool/pool.ts';

/**
 * Wraps a decoder so that its failures are the product's errors.
 * @throws NoSpace, StorageUnavailable if the file cannot be read; DecoderUnavailable if no decoder can start or the
 * pool is closed; the reason of an aborted signal
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
