const DECLARATION =
  /<!ENTITY[ \t\r\n]+(?:([^\s<>%&"']+)[ \t\r\n]+(?:"([^"]*)"|'([^']*)')|(%)|[^>]{0,200}(?:SYSTEM|PUBLIC))/g;
const REFERENCE = /&([^\s<>&;#"']{1,100});/g;
const MOST_DEPTH = 6;
const MOST_LENGTH = 16 * 1024 * 1024;
const KNOWN = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/**
 * A document with what it calls by names of its own written out; the same where it declares no names.
 * @throws RangeError where names stand for too much, or for declarations
 */
export function expanded(document: string): string {
  if (!document.includes('<!ENTITY')) return document;
  const values = new Map<string, string>();
  for (const [, name, double, single, parameter] of document.matchAll(DECLARATION)) {
    if (parameter !== undefined) throw new RangeError('a name for declarations');
    // The first declaration counts, and references to characters in it are understood where it stands.
    if (name !== undefined && !values.has(name)) values.set(name, characters(double ?? single ?? ''));
  }
  let text = document;
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    let changed = false;
    let length = text.length;
    text = text.replace(REFERENCE, (whole, name: string) => {
      const value = values.get(name);
      if (KNOWN.has(name) || value === undefined) return whole;
      changed = true;
      length += value.length;
      if (length > MOST_LENGTH) throw new RangeError('names that stand for too much');
      // What closes no attribute when it is named must not close one when it is written out.
      return value.includes('<') ? value : value.replaceAll('"', '&#34;').replaceAll("'", '&#39;');
    });
    if (!changed) return text;
  }
  throw new RangeError('names within names');
}

const characters = (value: string) =>
  value.replace(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, (_, hex: string | undefined, decimal: string | undefined) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code > 0x10ffff) throw new RangeError('no character');
    return String.fromCodePoint(code);
  });
