import type { Region } from './region.ts';
import { coverTail } from './tail.ts';
import { tellsOfTraces } from './words.ts';
import { isHarmlessXmp } from './xmp.ts';

/** Behind a packet stand 258 bytes that lead any reader of sub-blocks to its end. */
const XMP_END = 258;
const MOST_LOOKED_AT = 1024 * 1024;
const NAMELESS = Buffer.from('REMOVED 1.0');

const tableLength = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Covers the application blocks of a GIF (GIF89a, 26) and what stands behind its trailer. Comments stay. */
export function coverGif(file: Region): void {
  let at = 13 + tableLength(file.part(10, 11)[0]);
  for (;;) {
    const [block, label] = file.part(at, at + 2);
    if (block === undefined || block === 0x3b) break;
    if (block === 0x2c) at = blocksEnd(file, at + 11 + tableLength(file.part(at + 9, at + 10)[0]));
    else if (block !== 0x21) at += 1;
    else {
      const end = blocksEnd(file, at + 2);
      if (label === 0xff) coverApplication(file.inner(at, end));
      at = end;
    }
  }
  coverTail(file.inner(at + 1));
}

function blocksEnd(file: Region, from: number): number {
  let at = from;
  while (at < file.length) {
    const length = file.part(at, at + 1)[0] ?? 0;
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
}

/** @param block with its introducer, label, and the name in a sub-block of eleven bytes */
function coverApplication(block: Region): void {
  const name = block.text(3, 14);
  if (block.length < 16) return;
  const isHarmless =
    name === 'XMP DataXMP'
      ? isHarmlessXmp(block.inner(14, Math.max(14, block.length - XMP_END)))
      : !name.startsWith('C2PA') && !tellsOfTraces(block.text(14, MOST_LOOKED_AT));
  if (isHarmless) return;
  block.put(3, NAMELESS);
  const data = block.inner(14, block.length - 1);
  data.put(0, emptyBlocks(data.length));
}

/** Sub-blocks of zeros that fill a length exactly. */
function emptyBlocks(length: number): Buffer {
  const blocks = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const left = length - at;
    // None may be a single byte: that would be the end.
    const size = Math.min(256, left === 257 ? 255 : left);
    blocks[at] = size - 1;
    at += size;
  }
  return blocks;
}
