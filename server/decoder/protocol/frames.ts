/** Frames: two lengths, JSON, bytes. Node's IPC would pass a hostile decoder's bytes to V8's deserializer, unlimited. */
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';

export const REPLY_DESCRIPTOR = 3;

const HEADER = 8;
/** Bytes. The longest documents are redactions, at most 0.4 MB (limits.ts). Parsing this much takes about 0.1 s. */
export const MAX_TEXT = 1024 * 1024;
/** Bytes of all renditions of a picture. */
const MAX_BYTES = 64 * 1024 * 1024;

export type Frame = { text: string; bytes: Buffer };

/** Writes a complete frame; blocks until the reader has received it. */
export function writeFrame(descriptor: number, message: unknown, parts: readonly Uint8Array[] = []): void {
  const text = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(text.length, 0);
  header.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  for (const part of [header, text, ...parts]) {
    for (let written = 0; written < part.length; ) written += writeSync(descriptor, part, written);
  }
}

/** @param onBroken called once, as the last callback, for a frame that is too long */
export function readFrames(stream: Readable, onFrame: (frame: Frame) => void, onBroken: () => void): void {
  let chunks: Buffer[] = [];
  let held = 0;
  let broken = false;

  function next(): Frame | undefined {
    if (held < HEADER) return undefined;
    if ((chunks[0]?.length ?? 0) < HEADER) chunks = [Buffer.concat(chunks)];
    const textLength = chunks[0]?.readUInt32LE(0) ?? 0;
    const bytesLength = chunks[0]?.readUInt32LE(4) ?? 0;
    if (textLength > MAX_TEXT || bytesLength > MAX_BYTES) {
      broken = true;
      chunks = [];
      onBroken();
      return undefined;
    }
    const end = HEADER + textLength + bytesLength;
    if (held < end) return undefined;
    const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks = held > end ? [whole.subarray(end)] : [];
    held -= end;
    const text = whole.toString('utf8', HEADER, HEADER + textLength);
    return { text, bytes: whole.subarray(HEADER + textLength, end) };
  }

  stream.on('data', (chunk: Buffer) => {
    if (broken) return;
    chunks.push(chunk);
    held += chunk.length;
    for (let frame = next(); frame !== undefined; frame = next()) onFrame(frame);
  });
}
