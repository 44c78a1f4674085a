/** One block of a tar file (POSIX ustar). Why no library: docs/decisions/2026-11-25-backup-archive.md. */
export const BLOCK = 512;
/** Bytes of zeros at the end of a tar file. */
export const CLOSING = 2 * BLOCK;

export type TarHeader = { name: string; size: number };

/** Bytes at a header's end that ustar leaves unused. Random per backup file, so a header inside a picture cannot match. */
export const MARK_LENGTH = 12;
const MARK_AT = BLOCK - MARK_LENGTH;

/** Size of a body with the zeros that fill its last block. */
export const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

/** First size that eleven octal digits cannot hold. */
const LARGE = 8 ** 11;

/** @param name at most 100 bytes of ASCII; `size` is the body's, in bytes */
export function encodeHeader({ name, size }: TarHeader, modified: Date, mark?: Buffer): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new RangeError(`"${name}" cannot be a name in a tar file`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  writeSize(block, size);
  block.write(`${octal(Math.floor(modified.getTime() / 1000), 11)}\0`, 136);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  mark?.copy(block, MARK_AT, 0, MARK_LENGTH);
  block.write(`${octal(checksum(block), 6)}\0 `, 148);
  return block;
}

/** @returns undefined if the block is not the intact header of a plain file, or lacks `mark` */
export function decodeHeader(block: Buffer, mark?: Buffer): TarHeader | undefined {
  if (mark && block.compare(mark, 0, MARK_LENGTH, MARK_AT, BLOCK) !== 0) return undefined;
  if (block.toString('latin1', 257, 262) !== 'ustar' || readOctal(block, 148, 8) !== checksum(block)) return undefined;
  const size = readSize(block);
  if (size === undefined) return undefined;
  const end = block.indexOf(0);
  return { name: block.toString('latin1', 0, Math.min(end < 0 ? 100 : end, 100)), size };
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** Sum of all bytes; the checksum's own eight count as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

/** From 8 GiB on in base 256, like GNU tar and bsdtar. */
function writeSize(block: Buffer, size: number): void {
  if (size < LARGE) {
    block.write(`${octal(size, 11)}\0`, 124);
    return;
  }
  block[124] = 0x80;
  block.writeBigUInt64BE(BigInt(size), 128);
}

function readSize(block: Buffer): number | undefined {
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : readOctal(block, 124, 12);
  return size !== undefined && Number.isSafeInteger(size) ? size : undefined;
}

function readOctal(block: Buffer, at: number, length: number): number | undefined {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(block.toString('latin1', at, at + length))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}
