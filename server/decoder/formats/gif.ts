import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

type GifShape = { width: number; height: number };

const HEADER = 13;

/**
 * Walks the blocks to the trailer (GIF89a, section 12): the decoder accepts truncated files. Bytes after it are harmless.
 * Checks the codes of all frames but the first, which is decoded: drawing them takes time for the whole canvas each,
 * although a recording may change a few pixels.
 */
export function readGif(bytes: FileBytes): GifShape {
  if (bytes.length < HEADER) throw damaged(ENDS_TOO_EARLY);
  const header = bytes.part(0, HEADER);
  let position = HEADER + colourTable(header[10] ?? 0);
  let frames = 0;
  for (;;) {
    const block = bytes.at(position);
    if (block === undefined) throw damaged(ENDS_TOO_EARLY);
    if (block === 0x3b) break;
    if (block === 0x2c) {
      const data = position + 10 + colourTable(bytes.at(position + 9) ?? 0);
      position = subBlocksEnd(bytes, data + 1);
      if (frames > 0) checkCodes(bytes, data, position);
      frames += 1;
    } else if (block === 0x21) {
      position = subBlocksEnd(bytes, position + 2);
    } else if (block === 0) {
      position += 1; // padding that some writers put between blocks
    } else {
      throw damaged();
    }
  }
  if (frames === 0) throw damaged();
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}

const colourTable = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function subBlocksEnd(bytes: FileBytes, from: number): number {
  let position = from;
  for (;;) {
    const length = bytes.at(position);
    if (length === undefined) throw damaged(ENDS_TOO_EARLY);
    position += 1 + length;
    if (length === 0) return position;
  }
}

const MAX_CODES = 4096;

/** Follows the codes of one frame without making pixels (GIF89a, appendix F). A missing end is no damage. */
function checkCodes(bytes: FileBytes, from: number, end: number): void {
  const least = bytes.at(from) ?? 0;
  if (least < 1 || least > 11 || bytes.at(from + 1) === 0) throw damaged();
  const endsWith = createCodes(least);
  for (let position = from + 1; position < end; ) {
    const length = bytes.at(position) ?? 0;
    for (const byte of bytes.part(position + 1, position + 1 + length)) if (endsWith(byte)) return;
    position += 1 + length;
  }
}

/** @returns a function that takes the next byte and returns whether the codes end @throws Refusal of an impossible code */
function createCodes(least: number): (byte: number) => boolean {
  const clear = 1 << least;
  let next = clear + 2;
  let size = least + 1;
  let isFirst = true;
  let bits = 0;
  let held = 0;

  function take(code: number): void {
    if (code === clear) {
      next = clear + 2;
      size = least + 1;
      isFirst = true;
      return;
    }
    // A code may be the one that it defines itself, unless it is the first.
    if (isFirst ? code > clear : code > Math.min(next, MAX_CODES - 1)) throw damaged();
    if (!isFirst && next < MAX_CODES) next += 1;
    if (next === 1 << size && size < 12) size += 1;
    isFirst = false;
  }

  return (byte) => {
    bits |= byte << held;
    held += 8;
    while (held >= size) {
      const code = bits & ((1 << size) - 1);
      bits >>>= size;
      held -= size;
      if (code === clear + 1) return true;
      take(code);
    }
    return false;
  };
}
