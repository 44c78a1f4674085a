import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

/** `lossless` also covers transparency and animation, which cost as much. */
type WebpShape = {
  input: string | Buffer;
  lossless: boolean;
  /** The frames after the first, as separate pictures. */
  otherFrames: Iterable<Buffer>;
  /** Pixels of all frames: a frame has only those that it changes. */
  work: number;
};

type Frame = { at: number; end: number; width: number; height: number };

/** Walks the chunks of the RIFF (RFC 9649, 2.3), which must be complete. Drops bytes after the RIFF. */
export function readWebp(bytes: FileBytes): WebpShape {
  if (bytes.length < 20) throw damaged(ENDS_TOO_EARLY);
  const end = 8 + bytes.part(4, 8).readUInt32LE();
  if (end > bytes.length) throw damaged(ENDS_TOO_EARLY);
  let position = 12;
  const frames: Frame[] = [];
  let lossless = false;
  while (position + 8 <= end) {
    const header = bytes.part(position, position + 8);
    const type = header.toString('latin1', 0, 4);
    const contentAt = position + 8;
    position += 8 + header.readUInt32LE(4);
    // Many writers omit the last chunk's padding byte.
    if (position > end) throw damaged(ENDS_TOO_EARLY);
    position += position % 2;
    if (type === 'ANMF') frames.push(frameAt(bytes, contentAt, position));
    if (type === 'VP8L' || type === 'VP8X') lossless = true;
  }
  const input = end === bytes.length ? bytes.path : bytes.part(0, end);
  const work = frames.reduce((sum, { width, height }) => sum + width * height, 0);
  return { input, lossless, otherFrames: picturesOf(bytes, frames.slice(1)), work };
}

const FRAME_HEADER = 16;

/** A frame's place and size, less one, precede its data (RFC 9649, 2.7.1.1). */
function frameAt(bytes: FileBytes, at: number, end: number): Frame {
  const header = bytes.part(at, at + FRAME_HEADER);
  if (header.length < FRAME_HEADER || end - at < FRAME_HEADER) throw damaged(ENDS_TOO_EARLY);
  return { at: at + FRAME_HEADER, end, width: header.readUIntLE(6, 3) + 1, height: header.readUIntLE(9, 3) + 1 };
}

/** Animations are drawn on the whole canvas for each frame; a picture takes time for its own pixels only. */
function* picturesOf(bytes: FileBytes, frames: readonly Frame[]): Iterable<Buffer> {
  for (const { at, end, width, height } of frames) {
    const content = bytes.part(at, end);
    const head = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\0\0\0\0\0\0', 'latin1');
    head.writeUInt32LE(head.length + content.length - 8, 4);
    head.writeUIntLE(width - 1, 24, 3);
    head.writeUIntLE(height - 1, 27, 3);
    yield Buffer.concat([head, content]);
  }
}
