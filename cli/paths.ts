/**
 * Paths whose names are not UTF-8, as strings: each byte of such a name that is not ASCII is a lone surrogate, as in Python's
 * "surrogateescape". No other name has one, so the bytes can be restored.
 */
import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

const escapes = /[\udc80-\udcff]/gu;
const byteOf = (one: string): number => one.charCodeAt(0) & 0xff;

export const pathOf = (name: Buffer): string =>
  isUtf8(name)
    ? name.toString()
    : Array.from(name, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');

/** The path for the file system. */
export const bytesOf = (path: string): string | Buffer =>
  path.search(escapes) < 0
    ? path
    : Buffer.concat(Array.from(path, (one) => (one.search(escapes) < 0 ? Buffer.from(one) : Buffer.of(byteOf(one)))));

/** Windows-1252 from 0x80 to 0x9f; the rest is Latin-1. Some Nodes decode it as Latin-1 throughout. */
const western = '€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ';

const characterOf = (byte: number): string => western[byte - 0x80] ?? String.fromCharCode(byte);

/** The path for people and for the server. */
export const readable = (path: string): string => path.replace(escapes, (one) => characterOf(byteOf(one)));

const unknown = '\ufffd';

/** The path of an argument. Node reads arguments as UTF-8, so all other bytes arrive as U+FFFD. @throws Error if several names fit */
export async function typedPath(argument: string): Promise<string> {
  if (!argument.includes(unknown)) return argument;
  let path = isAbsolute(argument) ? '/' : '.';
  for (const part of argument.split('/')) {
    const names = part.includes(unknown) ? await readdir(bytesOf(path), { encoding: 'buffer' }).catch(() => []) : [];
    const [name = part, another] = names.filter((one) => one.toString() === part).map(pathOf);
    if (another)
      throw new Error('Several names there are not UTF-8 and look like this one. Push their folder instead.');
    path = join(path, name);
  }
  return path;
}
