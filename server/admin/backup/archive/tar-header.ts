/**
 * One block of a tar file (POSIX ustar): written by ourselves, since an object's name is its hash, known only when its
 * body is written, and since the bodies of a file of terabytes are passed over and not read.
 */
export const BLOCK = 512;
/** Bytes of the zeros that close a tar file. */
export const CLOSING = 2 * BLOCK;

export type TarHeader = { name: string; size: number };

/**
 * Twelve bytes at a header's end, which ustar leaves unused: random for each backup file, and known to nobody who cannot
 * read it. By them a header is told from one that somebody has put into a picture.
 */
export const MARK_LENGTH = 12;
const MARK_AT = BLOCK - MARK_LENGTH;

/** Bytes of a body with the zeros that fill its last block. */
export const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

/** From here on the eleven octal digits do not reach. */
const LARGE = 8 ** 11;

/**
 * @param name at most 100 bytes of ASCII
 * @param size bytes of the body
 */
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

/** @returns undefined where the block is no header of a plain file, a damaged one, or where asked for, without the mark */
export function decodeHeader(block: Buffer, mark?: Buffer): TarHeader | undefined {
  if (mark && block.compare(mark, 0, MARK_LENGTH, MARK_AT, BLOCK) !== 0) return undefined;
  if (block.toString('latin1', 257, 262) !== 'ustar' || readOctal(block, 148, 8) !== checksum(block)) return undefined;
  const size = readSize(block);
  if (size === undefined) return undefined;
  const end = block.indexOf(0);
  return { name: block.toString('latin1', 0, Math.min(end < 0 ? 100 : end, 100)), size };
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** The sum of all bytes, the checksum's own eight taken as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

/** From 8 GiB on in base 256, as GNU tar and bsdtar do. */
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
