import { damaged, ENDS_TOO_EARLY } from './failure.ts';

/** `lossless` also stands for what costs as much: transparency and animation. */
export type WebpShape = { bytes: Buffer; frames: number; lossless: boolean };

/** Walks the chunks of the RIFF (RFC 9649, 2.3): every one must be there whole. What follows the RIFF is left out. */
export function readWebp(bytes: Buffer): WebpShape {
  if (bytes.length < 20) throw damaged(ENDS_TOO_EARLY);
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw damaged(ENDS_TOO_EARLY);
  let position = 12;
  let frames = 0;
  let lossless = false;
  while (position + 8 <= end) {
    const type = bytes.toString('latin1', position, position + 4);
    position += 8 + bytes.readUInt32LE(position + 4);
    // The last chunk's padding byte is often forgotten.
    if (position > end) throw damaged(ENDS_TOO_EARLY);
    position += position % 2;
    if (type === 'ANMF') frames += 1;
    if (type === 'VP8L' || type === 'VP8X') lossless = true;
  }
  return { bytes: bytes.subarray(0, end), frames: Math.max(1, frames), lossless };
}
