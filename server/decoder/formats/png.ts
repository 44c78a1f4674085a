import { crc32 } from 'node:zlib';
import type { Colour } from '../core/colour.ts';
import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import { type FileBytes, joined, type Span } from '../core/file-bytes.ts';
import { pngChunk } from './png-chunk.ts';
import { colourOfPng, describesColour } from './png-colour.ts';
import { createNotes } from './png-notes.ts';

/** `memory` in bytes: interlaced pictures are decoded whole, others row by row. */
type PngShape = { input: string | Buffer; width: number; height: number; memory: number; colour: Colour | undefined };

const SIGNATURE = 8;
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'iCCP', 'eXIf']);
const CAPPED = new Set(['iCCP', 'eXIf']);
const CAP = 256 * 1024;
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Walks the chunks to IEND (PNG 5.3) and checks their CRCs. The copy omits some chunks: 64 text chunks in half a megabyte
 * inflate to 3 GB. It also omits ancillary chunks with a wrong CRC, as browsers do, and corrects that of IEND.
 */
export function readPng(bytes: FileBytes): PngShape {
  const spans: (Span | Buffer)[] = [[0, SIGNATURE]];
  const isNote = createNotes();
  const colours = new Map<string, Buffer>();
  let position = SIGNATURE;
  let type = '';
  while (type !== 'IEND') {
    if (position + 12 > bytes.length) throw damaged(ENDS_TOO_EARLY);
    const length = bytes.part(position, position + 4).readUInt32BE();
    const end = position + 12 + length;
    type = bytes.text(position + 4, position + 8);
    if (position === SIGNATURE && (type !== 'IHDR' || length !== 13)) throw damaged();
    if (end > bytes.length) throw damaged(ENDS_TOO_EARLY);
    const content = () => bytes.part(position + 8, end - 4);
    const isIntact = checksum(bytes, position + 4, end - 4) === bytes.part(end - 4, end).readUInt32BE();
    if (!isIntact && type === 'IEND') spans.push(pngChunk('IEND', Buffer.alloc(0)));
    else if (!isIntact && !isAncillary(type)) throw damaged();
    const kept = KEPT.has(type) && !(CAPPED.has(type) && length > CAP);
    if (isIntact && (kept || isNote(type, length, content))) keep(spans, position, end);
    if (isIntact && describesColour(type) && kept) colours.set(type, content());
    position = end;
  }
  const input = spans.length === 1 ? bytes.path : joined(bytes, spans);
  return { input, colour: colourOfPng(colours), ...readHeader(bytes.part(SIGNATURE + 8, SIGNATURE + 21)) };
}

/** Lower case of the first letter: decoders may ignore such a chunk (PNG specification, 5.4). */
const isAncillary = (type: string) => /^[a-z]/.test(type);

function checksum(bytes: FileBytes, from: number, to: number): number {
  let sum = 0;
  for (const piece of bytes.pieces(from, to)) sum = crc32(piece, sum);
  return sum;
}

function keep(spans: (Span | Buffer)[], from: number, to: number): void {
  const last = spans.at(-1);
  if (Array.isArray(last) && last[1] === from) last[1] = to;
  else spans.push([from, to]);
}

function readHeader(header: Buffer): { width: number; height: number; memory: number } {
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const depth = header[8] === 16 ? 2 : 1;
  const palette = header[9] === 3;
  // A palette or a transparent colour may become RGBA.
  const channels = palette ? 4 : (CHANNELS[header[9] ?? 0] ?? 4);
  return { width, height, memory: header[12] === 1 ? width * height * channels * depth : 0 };
}
