/** GIFs of one colour: LZW compression encodes many pixels in few bytes. */

const clear = 4;
const end = 5;

/**
 * Yields the LZW codes of `pixels` zeros: one zero, then each next table entry, which encodes one zero more than the last.
 * The table is cleared when it is full.
 */
function* codesOf(pixels: number): Generator<[code: number, bits: number]> {
  let left = pixels;
  let bits = 3;
  while (left > 0) {
    yield [clear, bits];
    bits = 3;
    yield [0, bits];
    left -= 1;
    let next = end + 1;
    for (let run = 2; left > 0 && next < 4096; run += 1, next += 1) {
      const length = Math.min(run, left);
      yield [length === 1 ? 0 : length + 4, bits];
      left -= length;
      if (next + 1 === 2 ** bits && bits < 12) bits += 1;
    }
  }
  yield [end, bits];
}

/** Packs the codes from the lowest bit on, in blocks of at most 255 bytes. */
function packed(pixels: number): Buffer {
  const bytes: number[] = [];
  let waiting = 0;
  let count = 0;
  for (const [code, bits] of codesOf(pixels)) {
    waiting |= code << count;
    count += bits;
    for (; count >= 8; count -= 8, waiting >>>= 8) bytes.push(waiting & 255);
  }
  bytes.push(waiting & 255);
  const blocks = [Buffer.from([2])];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}

function head(side: number): Buffer {
  const bytes = Buffer.from('GIF89a\0\0\0\0\xf1\0\0\x88\x88\x88\0\0\0\0\0\0\0\0\0', 'latin1');
  bytes.writeUInt16LE(side, 6);
  bytes.writeUInt16LE(side, 8);
  return bytes;
}

function frame(side: number, data: Buffer): Buffer {
  const bytes = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeUInt16LE(side, 5);
  bytes.writeUInt16LE(side, 7);
  return Buffer.concat([bytes, data]);
}

const trailer = Buffer.from([0x3b]);

export const gif = (side: number): Buffer => Buffer.concat([head(side), frame(side, packed(side * side)), trailer]);

/** Makes a GIF of one pixel on a canvas of that side. */
export const gifCanvas = (side: number): Buffer => Buffer.concat([head(side), frame(1, packed(1)), trailer]);

export function gifFrames(side: number, count: number): Buffer {
  const one = frame(side, packed(side * side));
  return Buffer.concat([head(side), ...new Array<Buffer>(count).fill(one), trailer]);
}
