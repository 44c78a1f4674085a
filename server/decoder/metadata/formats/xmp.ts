import { holdsSensitive, namesSensitive } from '../bytes/patterns.ts';
import type { Region } from '../bytes/region.ts';
import { redactDigests } from '../bytes/stored-digests.ts';

/** Longest packet that is searched, in bytes. Photographs have some kilobytes, with depth maps some megabytes. */
const MAX_READ = 16 * 1024 * 1024;
const SPACE = 0x20;
/** A packet without properties, for readers that require one. */
const EMPTY = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
/** Names of elements, attributes and properties in markup, with the characters around them. */
const NAME = /[<\s/"'](?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s=>/])/g;

/** Blanks a packet that is sensitive or unreadable; keeps others except for digests. */
export function redactXmp(packet: Region): void {
  if (isHarmlessXmp(packet)) {
    redactDigests(packet);
    return;
  }
  packet.blank(0, packet.length, SPACE);
  if (packet.length >= EMPTY.length) packet.put(0, EMPTY);
}

export function isHarmlessXmp(packet: Region): boolean {
  if (packet.length > MAX_READ) return false;
  const text = plainText(packet.part(0, packet.length));
  return text !== undefined && !textNamesSensitive(text);
}

export function textNamesSensitive(text: string): boolean {
  if (holdsSensitive(text) || /<!(?:DOCTYPE|ENTITY)/i.test(text) || holdsPicture(text)) return true;
  for (const [, name] of text.matchAll(NAME)) {
    if (name !== undefined && namesSensitive(name)) return true;
  }
  return false;
}

function holdsPicture(text: string): boolean {
  for (const [digits] of text.matchAll(/\/9j\/[A-Za-z0-9+/]{40,200}/g)) {
    if (Buffer.from(digits, 'base64').includes('Exif\0')) return true;
  }
  return false;
}

/** UTF-8 without control characters, except trailing zeros; undefined for anything else. */
function plainText(bytes: Buffer): string | undefined {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const text = bytes.toString('utf8', 0, end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\0-\x08\x0e-\x1f\ufffd]/.test(text) ? undefined : text;
}
