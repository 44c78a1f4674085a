import { damaged } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const PROLOG = /^\s*<\?xml\b[^>]*?\?>/i;

/** Whether a text file's first element is `svg`, after any byte order mark, prolog, comments and doctype. */
export function isSvg(start: Buffer): boolean {
  const head = decode(start, false);
  return head !== undefined && /^<(?:[\w.-]+:)?svg[\s/>]/i.test(skipMisc(head));
}

/** A size that is not relative to a page. */
const LENGTH = /^\+?\.?\d(?!.*%$)/;
const STYLED = /(?:^|[;\s])(?:width|height)\s*:\s*\+?\.?\d[^;%]*(?:;|$)/i;
/** Something as large as the drawing, so that its size cannot be that of what it draws: browsers use 300 x 150. */
const FILLS = /\s(?:width|height)\s*=\s*["']\s*100%/;
/** Units of a view box that are taken for pixels. */
const PIXELS = { least: 1, most: 4096 };
/** The long side of any other drawing without a size, and of one above the pixel limit. */
export const SIDE = 1600;

/**
 * The document in UTF-8, with a size. libvips seeks `<svg` in the first 1,000 bytes only; a prepended comment satisfies it.
 */
export function readSvg(bytes: FileBytes): Buffer {
  if (bytes.length > MAX_BYTES) throw damaged('an SVG may have 10 MB at most');
  const text = decode(bytes.part(0, bytes.length), true);
  if (text === undefined) throw damaged();
  return Buffer.from(`<!--<svg-->${withSize(text.replace(PROLOG, ''))}`);
}

/** Sets the size of a document without one: its pixels would depend on the units of its coordinates, or on what it draws. */
function withSize(text: string): string {
  const start = text.length - skipMisc(text).length;
  const [root = ''] = /^<(?:"[^"]*"|'[^']*'|[^'">])*>/.exec(text.slice(start)) ?? [];
  const rest = text.slice(start + root.length);
  const size = sizeOf(root, FILLS.test(rest));
  if (size === undefined) return text;
  const attributes = Object.entries(size).map(([name, value]) => ` ${name}="${value}"`);
  const sized = root
    .replace(/\s(?:width|height)\s*=\s*(?:"([^"]*)"|'([^']*)')/g, (attribute, quoted, single) =>
      LENGTH.test((quoted ?? single).trim()) ? attribute : '',
    )
    .replace(/^<[^\s/>]+/, `$&${attributes.join('')}`);
  return text.slice(0, start) + sized + rest;
}

type Size = { width?: number; height?: number };

/** librsvg derives the other side from the view box, and prefers a size in a style. */
function sizeOf(root: string, fills: boolean): Size | undefined {
  const attribute = (name: string) => {
    const [, quoted, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root) ?? [];
    return (quoted ?? single ?? '').trim();
  };
  const isSized = (name: string) => LENGTH.test(attribute(name));
  if (STYLED.test(attribute('style'))) return undefined;
  const [, , width = 0, height = 0] = attribute('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0)) {
    return fills ? { ...(!isSized('width') && { width: 300 }), ...(!isSized('height') && { height: 150 }) } : undefined;
  }
  const side = Math.max(width, height);
  if (isSized('width') || isSized('height') || (side >= PIXELS.least && side <= PIXELS.most)) return undefined;
  return width >= height ? { width: SIDE } : { height: SIDE };
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
