import { createHash } from 'node:crypto';
import type { ByteReader } from '../../storage/byte-source.ts';

/**
 * Passes bytes on and hashes them: the last of them only when the whole is known to be right, so that its end never comes.
 * To be read whole, from its beginning.
 *
 * @param size bytes of the whole
 * @param judge throws where this is not the SHA-256 that it should be, in hex
 */
export function checking(
  read: ByteReader['read'],
  size: number,
  judge: (sha256: string) => void | Promise<void>,
): ByteReader['read'] {
  const hash = createHash('sha256');
  return async (into, at) => {
    await read(into, at);
    hash.update(into);
    if (at + into.length === size) await judge(hash.digest('hex'));
  };
}
