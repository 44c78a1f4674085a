import { holdsSensitive, isBinary, isTellingComment } from '../bytes/patterns.ts';
import type { Region } from '../bytes/region.ts';
import { redactTail } from './tail.ts';
import { isHarmlessXmp } from './xmp.ts';

/** The 258 bytes after a packet that lead any reader of sub-blocks to its end (XMP, part 3, 1.1.2). */
const XMP_END = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);
const MAX_LOOKED_AT = 1024 * 1024;
const SPACE = 0x20;
const NAMELESS = Buffer.from('REMOVED 1.0');

const tableLength = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Redacts the application blocks (GIF89a, 26) and comments of a GIF, and bytes after its trailer. */
export function redactGif(file: Region): void {
  let at = 13 + tableLength(file.part(10, 11)[0]);
  for (;;) {
    const [block, label] = file.part(at, at + 2);
    if (block === undefined || block === 0x3b) break;
    if (block === 0x2c) at = blocksEnd(file, at + 11 + tableLength(file.part(at + 9, at + 10)[0]));
    else if (block !== 0x21) at += 1;
    else {
      const end = blocksEnd(file, at + 2);
      if (label === 0xff) redactApplication(file.inner(at, end));
      if (label === 0xfe) redactComment(file.inner(at + 2, end));
      at = end;
    }
  }
  redactTail(file.inner(at + 1));
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

/** @param block with introducer, label, and the name in a sub-block of eleven bytes */
function redactApplication(block: Region): void {
  const name = block.text(3, 14);
  if (block.length < 16) return;
  const isHarmless =
    name === 'XMP DataXMP'
      ? isHarmlessPacket(block.inner(14))
      : !name.startsWith('C2PA') && block.length <= MAX_LOOKED_AT && !holdsSensitive(contentsOf(block.inner(14)));
  if (isHarmless) return;
  block.put(3, NAMELESS);
  emptyBlocks(block.inner(14, block.length - 1));
}

/** Without the bytes of XMP_END, readers disagree about the packet's extent. */
function isHarmlessPacket(packet: Region): boolean {
  const end = packet.length - XMP_END.length;
  return end >= 0 && packet.part(end, packet.length).equals(XMP_END) && isHarmlessXmp(packet.inner(0, end));
}

/** Keeps a person's words, unless they are measurements. */
function redactComment(blocks: Region): void {
  const telling = blocks.length > MAX_LOOKED_AT || isBinary(joined(blocks)) || isTellingComment(contentsOf(blocks));
  if (telling) emptyBlocks(blocks.inner(0, blocks.length - 1));
}

/** The contents joined and also with length bytes: a length byte may split a word or be part of one. */
const contentsOf = (blocks: Region) => `${joined(blocks)}\n${blocks.text(0, blocks.length)}`;

function joined(blocks: Region): string {
  const text = blocks.text(0, blocks.length);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += 1 + text.charCodeAt(at)) {
    parts.push(text.slice(at + 1, at + 1 + text.charCodeAt(at)));
  }
  return parts.join('');
}

/** Fills the block with spaces that form valid sub-blocks of 32 bytes; none may have length 1. */
function emptyBlocks(blocks: Region): void {
  blocks.blank(0, blocks.length, SPACE);
  const left = blocks.length % (SPACE + 1);
  const last = blocks.length - left;
  if (left > 1) blocks.put(last, Buffer.from([left - 1]));
  // A sub-block of a single byte would be the terminator.
  if (left === 1) blocks.put(last - SPACE - 1, Buffer.from([SPACE + 1]));
}
