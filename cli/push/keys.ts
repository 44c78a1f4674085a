/** Upload keys of pushed files: the same file below the same folder has the same key on every computer. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { bytesOf } from '../paths.ts';

/** @param path below the pushed folder, with "/", as in paths.ts @param sha256 of the bytes, hexadecimal */
export const uploadKeyOf = (path: string, sha256: string): string =>
  // macOS decomposes accents in names.
  createHash('sha256')
    .update('gallery push 1\0')
    .update(bytesOf(path.normalize('NFC')))
    .update(`\0${sha256}`)
    .digest('base64url');

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(bytesOf(path), { highWaterMark: 2 ** 20 }), hash);
  return hash.digest('hex');
}
