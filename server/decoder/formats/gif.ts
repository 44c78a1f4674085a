import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

type GifShape = { width: number; height: number; frames: number };

const HEADER = 13;

/** Walks the blocks to the trailer (GIF89a, section 12): the decoder accepts truncated files. Bytes after it are harmless. */
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
      position = subBlocksEnd(bytes, position + 11 + colourTable(bytes.at(position + 9) ?? 0));
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
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8), frames };
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
