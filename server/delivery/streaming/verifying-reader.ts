import { createHash } from 'node:crypto';
import type { ByteReader } from '../../storage/byte-source.ts';

/** The last read fails if bytes are damaged: they are never sent whole. @param verify throws if the hex SHA-256 is wrong */
export function verifying(
  read: ByteReader['read'],
  size: number,
  verify: (sha256: string) => void | Promise<void>,
): ByteReader['read'] {
  const hash = createHash('sha256');
  return async (into, at) => {
    await read(into, at);
    hash.update(into);
    if (at + into.length === size) await verify(hash.digest('hex'));
  };
}
