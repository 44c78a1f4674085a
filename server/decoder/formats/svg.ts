import { damaged } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const PROLOG = /^\s*<\?xml\b[^>]*?\?>/i;

/** Whether a text file's first element is `svg`, after any byte order mark, prolog, comments and doctype. */
export function isSvg(start: Buffer): boolean {
  const head = decode(start, false);
  return head !== undefined && /^<(?:[\w.-]+:)?svg[\s/>]/i.test(skipMisc(head));
}

/** Units of a view box that are taken for pixels. */
const PIXELS = { least: 1, most: 4096 };
/** The long side of any other drawing without a size. */
const SIDE = 1600;

/**
 * The document in UTF-8, with a size. libvips seeks `<svg` in the first 1,000 bytes only; a prepended comment satisfies it.
 */
export function readSvg(bytes: FileBytes): Buffer {
  if (bytes.length > MAX_BYTES) throw damaged('an SVG may have 10 MB at most');
  const text = decode(bytes.part(0, bytes.length), true);
  if (text === undefined) throw damaged();
  return Buffer.from(`<!--<svg-->${withSize(text.replace(PROLOG, ''))}`);
}

/** Sets the size of a document that only names a view box: its pixels would depend on the units of its coordinates. */
function withSize(text: string): string {
  const start = text.length - skipMisc(text).length;
  const [root = ''] = /^<(?:"[^"]*"|'[^']*'|[^'">])*>/.exec(text.slice(start)) ?? [];
  const size = sizeOf(root);
  if (size === undefined) return text;
  const sized = root
    .replace(/\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
    .replace(/^<[^\s/>]+/, `$& width="${size.width}" height="${size.height}"`);
  return text.slice(0, start) + sized + text.slice(start + root.length);
}

function sizeOf(root: string): { width: number; height: number } | undefined {
  const attribute = (name: string) => {
    const [, quoted, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root) ?? [];
    return (quoted ?? single ?? '').trim();
  };
  const isSized = ['width', 'height'].some(
    (name) => /^\+?\.?\d/.test(attribute(name)) && !attribute(name).endsWith('%'),
  );
  const [, , width = 0, height = 0] = attribute('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  if (isSized || !(width > 0 && height > 0)) return undefined;
  const side = Math.max(width, height);
  if (side >= PIXELS.least && side <= PIXELS.most) return undefined;
  const scale = SIDE / side;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function skipMisc(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = miscEnd(rest);
    if (end === 0) return rest;
    rest = rest.slice(end).trimStart();
  }
}

/** The end of a leading instruction, comment or doctype; 0 if there is none or it is incomplete. */
function miscEnd(text: string): number {
  if (text.startsWith('<?')) return after(text, '?>');
  if (text.startsWith('<!--')) return after(text, '-->');
  if (!/^<!doctype/i.test(text)) return 0;
  const close = text.indexOf('>');
  const subset = text.indexOf('[');
  if (subset < 0 || close < subset) return close + 1;
  const closed = /\]\s*>/.exec(text);
  return closed === null ? 0 : closed.index + closed[0].length;
}

function after(text: string, mark: string): number {
  const at = text.indexOf(mark);
  return at < 0 ? 0 : at + mark.length;
}

/** Decodes text by its byte order mark or declared encoding; undefined if it is not text. */
function decode(bytes: Buffer, whole: boolean): string | undefined {
  try {
    const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
    const text = decoder.decode(bytes, { stream: !whole });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

export const decodeSvg = (bytes: Buffer) => decode(bytes, true);

export function encodingOf(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 4);
  if (mark.startsWith('\xff\xfe') || mark === '<\0?\0' || mark === '<\0s\0') return 'utf-16le';
  if (mark.startsWith('\xfe\xff') || mark === '\0<\0?' || mark === '\0<\0s') return 'utf-16be';
  return /^[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
}
