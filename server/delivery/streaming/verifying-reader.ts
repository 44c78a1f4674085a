import { createHash } from 'node:crypto';
import type { ByteReader } from '../../storage/byte-source.ts';

/** The last read fails if bytes are damaged: they are never sent whole. @param judge throws if the hex SHA-256 is wrong */
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
