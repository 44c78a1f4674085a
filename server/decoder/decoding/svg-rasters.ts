/** Finds the pictures inside an SVG by their headers: librsvg decodes all of them before it draws. */
import { gunzipSync } from 'node:zlib';
import { damaged, tooManyPixels } from '../core/failure.ts';
import { type DecodeLimits, MAX_HELD } from '../core/limits.ts';
import { type Raster, readRaster } from '../formats/raster-header.ts';
import { decodeSvg, encodingOf } from '../formats/svg.ts';
import { hidesAddresses } from '../metadata/formats/data-uris.ts';
import { type Piece, textRangesIn } from '../metadata/formats/svg.ts';
import { expanded } from '../metadata/formats/svg-entities.ts';

const MAX_DEPTH = 4;
/** Characters of the document and everything nested in it. */
const MAX_SCANNED = 128 * 1024 * 1024;
const MAX_ADDRESSES = 10_000;
const MAX_UNPACKED = 10 * 1024 * 1024;
/** Encodings that libxml2 may read but this code does not. */
const OTHER_ENCODING = /^(?:\x4c\x6f\xa7\x94|\0\0\0<|<\0\0\0|\0\0<\0|\0<\0\0|\0\0\xfe\xff|\xff\xfe\0\0)/;
const BASE64 = /[A-Za-z0-9+/=\s]*/y;

/** Bytes per pixel of the surface that librsvg keeps for each address until it finishes. */
const SURFACE = 4;
/** Bytes per pixel, measured with sharp 0.35.5: up to 5.3 while decoding 8 bits, 9.4 for 16 bits. */
const DECODING = { 8: 6, 16: 10 };

type Scan = { seen: Set<string>; rasters: Raster[]; left: number; limits: DecodeLimits };

/** Bytes that the pictures in an SVG need while it is drawn; each address counts once, as in librsvg. @throws Refusal */
export function rasterMemory(document: string, limits: DecodeLimits): number {
  const scan: Scan = { seen: new Set(), rasters: [], left: MAX_SCANNED, limits };
  try {
    scanDocument(scan, document, 0);
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error;
  }
  const { rasters } = scan;
  const held = rasters.reduce((sum, { pixels }) => sum + pixels * SURFACE, 0);
  const decoding = rasters.reduce((max, { pixels, depth }) => Math.max(max, pixels * DECODING[depth]), 0);
  const memory = held + decoding;
  if (memory <= MAX_HELD.svg) return memory;
  const pixels = rasters.reduce((sum, raster) => sum + raster.pixels, 0);
  throw tooManyPixels(Math.floor((pixels * MAX_HELD.svg) / memory), 'in the pictures inside it at most');
}

/** @throws RangeError if it is not XML or too large to follow */
function scanDocument(scan: Scan, document: string, depth: number): void {
  spend(scan, document.length);
  if (!mayHoldAddresses(document)) return;
  const text = expanded(document);
  if (text !== document) spend(scan, text.length);
  for (const spans of textRangesIn(text)) {
    const isMarkup = text[spans[0]?.from ?? 0] === '<';
    if (!mayHoldAddresses(spans.map(({ from, to }) => text.slice(from, to)).join(''))) continue;
    const value = spans.map((span) => understoodPart(text, span)).join('');
    if (!isMarkup) scanTextRange(scan, value, depth);
    else if (!value.startsWith('<!--')) scanMarkup(scan, value, depth);
  }
}

const understoodPart = (text: string, { from, to, plain }: Piece) =>
  plain ? text.slice(from, to) : withReferences(text.slice(from, to));

/** Doctypes can set attribute values, and processing instructions can name style sheets. */
function scanMarkup(scan: Scan, value: string, depth: number): void {
  if (!/data:/i.test(value.replace(/[\t\r\n]/g, ''))) return;
  // References make the end of a value ambiguous.
  if (value.includes('&')) throw new RangeError('references in a declaration');
  scanTextRange(scan, value, depth);
}

function spend(scan: Scan, length: number): void {
  scan.left -= length;
  if (scan.left < 0) throw new RangeError('too much to look through');
}

/** Whether the text may contain a `data:` address in any notation, including references and escapes. */
const mayHoldAddresses = (text: string) => /[&\\]|data:/i.test(text);

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const REFERENCE = /&(?:#x([0-9a-f]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/gi;

function withReferences(text: string): string {
  if (!text.includes('&')) return text;
  const parts: string[] = [];
  let at = 0;
  // Iterates: an array of all matches may exceed the decoder's heap.
  for (const { 0: whole, 1: hex, 2: decimal, 3: name = '', index } of text.matchAll(REFERENCE)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    parts.push(text.slice(at, index), NAMED[name.toLowerCase()] ?? String.fromCodePoint(code));
    at = index + whole.length;
  }
  return parts.join('') + text.slice(at);
}

/** Checks every address in one value or one element's text. Like URL parsers, ignores tabs and line breaks. */
function scanTextRange(scan: Scan, value: string, depth: number): void {
  const text = /[\t\r\n]/.test(value) ? value.replace(/[\t\r\n]/g, '') : value;
  if (hidesAddresses(text)) throw new RangeError('an address in escapes');
  for (const { index } of text.matchAll(/data:/gi)) {
    const end = endOf(text, index);
    if (end === undefined) continue;
    spend(scan, end - index);
    const address = text.slice(index, end);
    const comma = address.indexOf(',');
    if (comma >= 0) scanAddress(scan, address, address.slice(comma + 1), depth);
  }
}

const ENDS: Record<string, string> = { '"': '"', "'": "'", '(': ')' };

/** The end of an address: its closing quote or bracket, or the value's end. Undefined if it is no address. */
function endOf(text: string, from: number): number | undefined {
  let before = from - 1;
  while (text[before] === ' ') before -= 1;
  if (before < 0) return text.length;
  const mark = ENDS[text[before] ?? ''];
  if (mark === undefined) return undefined;
  const found = text.indexOf(mark, from);
  const end = found < 0 ? text.length : found;
  if (text.slice(from, end).includes('\\')) throw new RangeError('an address in escapes');
  return end;
}

/** Decodes the body as base64 and as plain bytes, whatever it declares; a picture in either reading counts. */
function scanAddress(scan: Scan, address: string, body: string, depth: number): void {
  if (scan.seen.has(address)) return;
  scan.seen.add(address);
  if (scan.seen.size > MAX_ADDRESSES) throw new RangeError('too many addresses');
  const plain = percentDecoded(body);
  BASE64.lastIndex = 0;
  const [digits = ''] = BASE64.exec(plain.toString('latin1')) ?? [];
  for (const bytes of [plain, Buffer.from(digits, 'base64')]) {
    const raster = readRaster(bytes);
    if (raster === undefined) scanContent(scan, bytes, depth + 1);
    else {
      const max = raster.heavy ? scan.limits.maxHeavyPixels : scan.limits.maxPixels;
      if (raster.pixels > max) throw tooManyPixels(max);
      scan.rasters.push(raster);
    }
  }
}

const PERCENT = 0x25;

function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    const digits = byte === PERCENT ? bytes.toString('latin1', at + 1, at + 3) : '';
    if (/^[0-9a-f]{2}$/i.test(digits)) {
      byte = Number.parseInt(digits, 16);
      at += 2;
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

function scanContent(scan: Scan, bytes: Buffer, depth: number): void {
  const start = bytes.toString('latin1', 0, 4);
  if (bytes.length < 8) return;
  if (depth > MAX_DEPTH || OTHER_ENCODING.test(start)) throw new RangeError('drawings within drawings');
  if (start.startsWith('\x1f\x8b')) {
    scanContent(scan, unpacked(bytes), depth);
    return;
  }
  for (const text of readingsOf(bytes)) scanText(scan, text, depth);
}

/** Returns several readings, since libxml2 prefers the bytes to a declared encoding that contradicts them. */
function readingsOf(bytes: Buffer): string[] {
  const text = decodeSvg(bytes);
  const declared = /^utf-?8$/i.test(encodingOf(bytes)) || bytes.includes(0);
  const readings = text !== undefined && declared ? [text] : [text, bytes.toString('latin1')];
  return readings.filter((reading) => reading !== undefined);
}

function scanText(scan: Scan, text: string, depth: number): void {
  if (/^(?:\xef\xbb\xbf|\ufeff)?\s*</.test(text)) scanDocument(scan, text, depth);
  else if (mayHoldAddresses(text)) scanTextRange(scan, text, depth);
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch {
    throw new RangeError('a packed drawing that cannot be unpacked');
  }
}
