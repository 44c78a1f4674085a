import { crc32, inflateSync } from 'node:zlib';
import { redactedCopy, rewritten } from '../bytes/held-bytes.ts';
import { holdsSensitive, isBinary, isTellingComment, namesSensitive } from '../bytes/patterns.ts';
import type { Region } from '../bytes/region.ts';
import { redactIptc } from './iptc.ts';
import { redactPhotoshop } from './photoshop.ts';
import { redactTail } from './tail.ts';
import { redactExif } from './tiff.ts';
import { redactXmp, textNamesSensitive } from './xmp.ts';

/** Chunks that decoders use, and the time. */
const SHOWN =
  /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|cICP|mDCV|cLLI|sBIT|iCCP|bKGD|hIST|pHYs|sPLT|tIME|acTL|fcTL|fdAT|oFFs|pCAL|sCAL|sTER|gIFg|iDOT|vpAg|orNT|CgBI)$/;
/** A neutral chunk type: ancillary, private, safe to copy and unknown to readers. */
const NAMELESS = Buffer.from('voId');
const KEYWORD = /^([^\0]{1,79})\0/;
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_LOOKED_AT = 1024 * 1024;
const XMP = /XML:com\.adobe\.xmp/i;
const PROFILE = /^\s*Raw profile type\b\s*(.*)/i;

const PROFILES: Record<string, (profile: Region) => void> = {
  exif: redactApp1,
  app1: redactApp1,
  xmp: redactXmp,
  iptc: (profile) => (profile.text(0, 4) === '8BIM' ? redactPhotoshop(profile) : redactIptc(profile)),
  app13: (profile) => redactPhotoshop(profile.inner(/^Photoshop 3\.0\0/.test(profile.text(0, 14)) ? 14 : 0)),
  '8bim': redactPhotoshop,
  icc: () => {},
  icm: () => {},
};

/** Redacts the chunks of a PNG, updates their checksums, and redacts bytes after the last one. */
export function redactPng(file: Region): void {
  let at = 8;
  for (let type = ''; type !== 'IEND' && at + 12 <= file.length; ) {
    const length = file.part(at, at + 4).readUInt32BE();
    type = file.text(at + 4, at + 8);
    if (at + 12 + length > file.length) break;
    if (!SHOWN.test(type)) redactChunk(file, at, length, type);
    at += 12 + length;
  }
  redactTail(file.inner(at));
}

function redactChunk(file: Region, at: number, length: number, type: string): void {
  const { redactor } = file;
  const before = redactor.changes();
  const content = file.inner(at + 8, at + 8 + length);
  if (type === 'eXIf') {
    redactHeadedExif(content);
  } else if (!(isText(type) ? redactText(content, type) : isHarmless(type, content))) {
    file.put(at + 4, NAMELESS);
    content.blank();
  }
  if (redactor.changes() === before) return;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(file.inner(at + 4, at + 8 + length)));
  file.put(at + 8 + length, sum);
}

function checksum(chunk: Region): number {
  let sum = 0;
  for (const [from, to] of chunk.spans) {
    for (const piece of chunk.redactor.bytes.pieces(from, to)) sum = crc32(piece, sum);
  }
  return sum;
}

const isText = (type: string) => type === 'tEXt' || type === 'zTXt' || type === 'iTXt';

/** Whether another program's chunk may stay; Photoshop's, Fireworks' and provenance chunks may not. */
function isHarmless(type: string, content: Region): boolean {
  if (type === 'voId') return true;
  if (/^(?:zxIf|meTa|cpIp|caBX|tXMP|gdAT|mk..)$/.test(type)) return false;
  if (content.length > MAX_LOOKED_AT) return false;
  const text = content.text(0, content.length);
  return !isBinary(text) && !holdsSensitive(text) && !isTellingComment(text);
}

function redactHeadedExif(content: Region): void {
  redactExif(content.inner(/^exif\0\0/i.test(content.text(0, 6)) ? 6 : 0));
}

function redactApp1(content: Region): void {
  if (content.text(0, 4) === 'http') redactXmp(content.inner(29));
  else redactHeadedExif(content);
}

/** @returns false if the chunk must be removed */
function redactText(content: Region, type: string): boolean {
  const keyword = KEYWORD.exec(content.text(0, 80))?.[1];
  if (keyword === undefined) return isHarmless(type, content);
  const kind = PROFILE.exec(keyword)?.[1]?.trim().toLowerCase();
  if (kind !== undefined) return redactProfile(content, keyword, type, PROFILES[kind]);
  if (keyword.split(/[\s:]+/).some(namesSensitive)) return false;
  const text = textOf(content, keyword, type);
  if (text === undefined || isBinary(text)) return false;
  return !(XMP.test(keyword) ? textNamesSensitive(text) : isTellingComment(text));
}

/** Redacts metadata written as hexadecimal digits after a name and a length. */
function redactProfile(content: Region, keyword: string, type: string, redactAll?: (profile: Region) => void): boolean {
  const text = textOf(content, keyword, type);
  const [head] = /^\s*[^\n]*\n\s*\d+\s*\n/.exec(text?.slice(0, 200) ?? '') ?? [];
  if (text === undefined || head === undefined || redactAll === undefined) return false;
  const digits = text.slice(head.length);
  // Readers interpret other characters differently.
  if (!/^[0-9a-f\s]*$/i.test(digits)) return false;
  const bytes = Buffer.from(digits.replace(/\s/g, ''), 'hex');
  const redacted = redactedCopy(bytes, redactAll);
  if (redacted === bytes) return true;
  if (type !== 'tEXt') return false;
  const written = rewritten(digits, /[0-9a-f]/gi, redacted.toString('hex'));
  content.put(keyword.length + 1 + head.length, Buffer.from(written, 'latin1'));
  return true;
}

/** The text after a keyword; undefined if it is too long or cannot be decompressed. */
function textOf(content: Region, keyword: string, type: string): string | undefined {
  if (content.length > MAX_TEXT) return undefined;
  const bytes = content.part(keyword.length + 1, content.length);
  try {
    if (type === 'tEXt') return bytes.toString('latin1');
    if (type === 'zTXt') return unpacked(bytes.subarray(1)).toString('latin1');
    const language = bytes.indexOf(0, 2);
    const start = bytes.indexOf(0, language + 1) + 1;
    if (language < 0 || start === 0) return undefined;
    const text = bytes.subarray(start);
    return (bytes[0] === 1 ? unpacked(text) : text).toString('utf8');
  } catch {
    return undefined;
  }
}

const unpacked = (bytes: Buffer) => inflateSync(bytes, { maxOutputLength: MAX_TEXT });
