import type { DecoderPool } from '../decoder/pool/pool.ts';
import { sharedDecoder } from './app.ts';

/** @returns the shared decoders for an app of a test, and the paths of all pictures that it has them decode */
export function watchDecoder() {
  const decoded: string[] = [];
  const decoder: DecoderPool = {
    ...sharedDecoder,
    decode(path, options) {
      decoded.push(path);
      return sharedDecoder.decode(path, options);
    },
  };
  return { decoder, decoded };
}
