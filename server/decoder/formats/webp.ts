import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

/** `lossless` also covers transparency and animation, which cost as much. */
type WebpShape = { input: string | Buffer; frames: number; lossless: boolean };

/** Walks the chunks of the RIFF (RFC 9649, 2.3), which must be complete. Drops bytes after the RIFF. */
export function readWebp(bytes: FileBytes): WebpShape {
  if (bytes.length < 20) throw damaged(ENDS_TOO_EARLY);
  const end = 8 + bytes.part(4, 8).readUInt32LE();
  if (end > bytes.length) throw damaged(ENDS_TOO_EARLY);
  let position = 12;
  let frames = 0;
  let lossless = false;
  while (position + 8 <= end) {
    const header = bytes.part(position, position + 8);
    const type = header.toString('latin1', 0, 4);
    position += 8 + header.readUInt32LE(4);
    // Many writers omit the last chunk's padding byte.
    if (position > end) throw damaged(ENDS_TOO_EARLY);
    position += position % 2;
    if (type === 'ANMF') frames += 1;
    if (type === 'VP8L' || type === 'VP8X') lossless = true;
  }
  const input = end === bytes.length ? bytes.path : bytes.part(0, end);
  return { input, frames: Math.max(1, frames), lossless };
}
