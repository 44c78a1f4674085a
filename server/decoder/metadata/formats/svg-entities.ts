import { tokensOf } from './svg-tokens.ts';

const DECLARATION =
  /<!ENTITY[ \t\r\n]+(?![ \t\r\n])(?:([^\s<>%&"']+)[ \t\r\n]+(?:"([^"]*)"|'([^']*)')|(%)|[^>]{0,200}(?:SYSTEM|PUBLIC))/g;
const REFERENCE = /&([^\s<>&;#"']+);/g;
/** In a document's body: CDATA and comments, which contain no references, and references. */
const IN_BODY = /<!\[CDATA\[(?:[\s\S]*?\]\]>|[\s\S]*)|<!--(?:[\s\S]*?-->|[\s\S]*)|&([^\s<>&;#"']+);/g;
/** In a doctype: quoted values, comments and processing instructions. */
const IN_DOCTYPE = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;
const MAX_DEPTH = 6;
/** References expanded at one depth. */
const MAX_CALLS = 200_000;
const MAX_LENGTH = 16 * 1024 * 1024;
const KNOWN = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/** Expands a document's entities. @throws RangeError if the result is too large or entities contain declarations */
export function expanded(document: string): string {
  if (!document.includes('<!ENTITY')) return document;
  const { doctype, end } = doctypeOf(document);
  const values = declared(doctype);
  let [head, body] = [document.slice(0, end), document.slice(end)];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const [nextHead, nextBody] = [called(head, REFERENCE, values), called(body, IN_BODY, values)];
    if (nextHead === head && nextBody === body) return head + body;
    [head, body] = [nextHead, nextBody];
    if (head.length + body.length > MAX_LENGTH) throw new RangeError('names that stand for too much');
  }
  throw new RangeError('names within names');
}

function doctypeOf(document: string): { doctype: string; end: number } {
  for (const { kind, from, to } of tokensOf(document)) {
    if (kind === 'open' || kind === 'empty') break;
    if (document.startsWith('<!DOCTYPE', from)) return { doctype: document.slice(from, to), end: to };
  }
  return { doctype: '', end: 0 };
}

/** The declared entities. The first declaration counts; character references in it are resolved. */
function declared(doctype: string): Map<string, string> {
  const values = new Map<string, string>();
  const bare = doctype.replace(IN_DOCTYPE, (found) => (found.startsWith('<') ? '' : found));
  for (const [, name, double, single, parameter] of bare.matchAll(DECLARATION)) {
    if (parameter !== undefined) throw new RangeError('a name for declarations');
    if (name !== undefined && !values.has(name)) values.set(name, characters(double ?? single ?? ''));
  }
  return values;
}

function called(text: string, pattern: RegExp, values: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  let [at, length] = [0, text.length];
  for (const { 0: whole, 1: name, index } of text.matchAll(pattern)) {
    const value = name === undefined || KNOWN.has(name) ? undefined : values.get(name);
    if (value === undefined) continue;
    length += value.length;
    if (length > MAX_LENGTH || parts.length > 2 * MAX_CALLS) throw new RangeError('names that stand for too much');
    // Quotes in an entity do not end an attribute, so they must not after expansion.
    const written = value.includes('<') ? value : value.replaceAll('"', '&#34;').replaceAll("'", '&#39;');
    parts.push(text.slice(at, index), written);
    at = index + whole.length;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(at);
}

const characters = (value: string) =>
  value.replace(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, (_, hex: string | undefined, decimal: string | undefined) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code > 0x10ffff) throw new RangeError('no character');
    return String.fromCodePoint(code);
  });
