import type { DecoderPool } from '../decoder/pool/pool.ts';
import { sharedDecoder } from './app.ts';

/** @returns the shared decoders, and a list of the paths of all pictures they decode */
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
