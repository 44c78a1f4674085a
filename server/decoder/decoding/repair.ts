/** Faults that cost no pixels, and that only decoding shows. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { pngChunk } from '../formats/png-chunk.ts';
import type { Inspected } from './inspect.ts';

/** @returns a copy without the fault that made decoding fail; undefined if there is none */
export async function repaired(picture: Inspected, error: unknown): Promise<Buffer | undefined> {
  const { format, input } = picture;
  const read = async () => (typeof input === 'string' ? readFile(input) : input);
  if (format === 'png') return withChecksum(await read(), picture);
  const junk = format === 'jpeg' ? EXTRANEOUS.exec(String(error)) : null;
  return junk ? withoutJunk(await read(), Number(junk[1]), Buffer.from(`ff${junk[2]}`, 'hex')) : undefined;
}

/** What libjpeg warns of after a scan; the first eight bytes of it pass unnoticed. */
const EXTRANEOUS = /(\d+) extraneous bytes before marker 0x([\da-f]{2})/;
/** A single byte again and again, or text. Other bytes may be pixels that were decoded wrongly. */
const JUNK = /^(?:([\0-\xff])\1*|[\t\r\n -~]+)$/;

/** Between the scans of a progressive JPEG, or before its end. */
function withoutJunk(jpeg: Buffer, length: number, marker: Buffer): Buffer | undefined {
  for (let at = jpeg.indexOf(marker); at >= 0; at = jpeg.indexOf(marker, at + 1)) {
    const from = at - length;
    if (from > 0 && JUNK.test(jpeg.toString('latin1', from, at)))
      return Buffer.concat([jpeg.subarray(0, from), jpeg.subarray(at)]);
  }
  return undefined;
}

/** A PNG whose pixels inflate completely, with their true Adler-32. The decoder counts the rows. */
async function withChecksum(png: Buffer, { width, height }: Inspected): Promise<Buffer | undefined> {
  const chunks = pixelChunks(png);
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (!first || !last) return undefined;
  const stream = Buffer.concat(chunks.map(({ at, end }) => png.subarray(at + 8, end - 4)));
  const inflate = createInflateRaw();
  const sum = await adler(Readable.from([stream.subarray(2)]).pipe(inflate), 10 * (width + 1) * (height + 1));
  const checksumAt = 2 + inflate.bytesWritten;
  if (sum === undefined || checksumAt + 4 > stream.length || stream.readUInt32BE(checksumAt) === sum) return undefined;
  stream.writeUInt32BE(sum, checksumAt);
  return Buffer.concat([png.subarray(0, first.at), pngChunk('IDAT', stream), png.subarray(last.end)]);
}

function pixelChunks(png: Buffer): { at: number; end: number }[] {
  const found: { at: number; end: number }[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') found.push({ at, end });
    at = end;
  }
  return found;
}

/** RFC 1950, 8.2. Undefined for data that do not inflate, or into more than `most` bytes. */
async function adler(pieces: AsyncIterable<Buffer>, most: number): Promise<number | undefined> {
  let [low, high, length] = [1, 0, 0];
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > most) return undefined;
      for (const byte of piece) {
        low = (low + byte) % 65_521;
        high = (high + low) % 65_521;
      }
    }
  } catch {
    return undefined;
  }
  return high * 65_536 + low;
}
