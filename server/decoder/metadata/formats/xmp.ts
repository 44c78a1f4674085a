import { holdsSensitive, namesSensitive } from '../bytes/patterns.ts';
import type { Region } from '../bytes/region.ts';
import { redactDigests } from '../bytes/stored-digests.ts';

/** Bytes of a packet that is looked into; photographs' packets have some kilobytes, with depth maps some megabytes. */
const MAX_READ = 16 * 1024 * 1024;
const SPACE = 0x20;
/** A packet without a property, for readers that complain of none. */
const EMPTY = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
/** Names in markup: of elements, attributes and namespaces' properties, with what may precede and follow them. */
const NAME = /[<\s/"'](?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s=>/])/g;

/** Blanks a packet whole where it names a place or a serial number, or cannot be read; others stay as they are. */
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

/** A photograph inside, as digits in base 64, with EXIF of its own. */
function holdsPicture(text: string): boolean {
  for (const [digits] of text.matchAll(/\/9j\/[A-Za-z0-9+/]{40,200}/g)) {
    if (Buffer.from(digits, 'base64').includes('Exif\0')) return true;
  }
  return false;
}

/** UTF-8 without control characters, closing zeros apart; undefined for anything else. */
function plainText(bytes: Buffer): string | undefined {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const text = bytes.toString('utf8', 0, end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\0-\x08\x0e-\x1f\ufffd]/.test(text) ? undefined : text;
}
