/** Text as an XML parser reads it, without tabs and line breaks, with each character's position in the document. */
export type TextRange = {
  text: string;
  placeOf(index: number): number;
};

const WRITTEN_OTHERWISE = /&(?:#x([0-9a-f]+)|#([0-9]+)|(amp|lt|gt|quot|apos));|[\t\r\n]/gi;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @param spans consecutive parts of the document's text; `plain` ones contain no references */
export function textRangeOf(
  document: string,
  spans: readonly { from: number; to: number; plain: boolean }[],
): TextRange {
  const [first] = spans;
  if (first !== undefined && spans.length === 1) {
    const text = document.slice(first.from, first.to);
    if (!/[\t\r\n]/.test(text) && (first.plain || !text.includes('&'))) {
      return { text, placeOf: (index) => first.from + index };
    }
  }
  const offsets = new Uint32Array(spans.reduce((sum, { from, to }) => sum + to - from, 1));
  const parts: string[] = [];
  let length = 0;
  for (const { from, to, plain } of spans) {
    const keep = (start: number, end: number) => {
      parts.push(document.slice(start, end));
      for (let at = start; at < end; at += 1) offsets[length++] = at;
    };
    let at = from;
    for (const { 0: whole, 1: hex, 2: decimal, 3: name = '', index } of document
      .slice(from, to)
      .matchAll(WRITTEN_OTHERWISE)) {
      if (plain && whole.length > 1) continue;
      keep(at, from + index);
      at = from + index + whole.length;
      const character = whole.length === 1 ? '' : characterOf(hex, decimal, name);
      parts.push(character);
      if (character !== '') offsets[length++] = from + index;
    }
    keep(at, to);
    offsets[length] = to;
  }
  return { text: parts.join(''), placeOf: (index) => offsets[index] ?? 0 };
}

/** The character, or '' for omitted ones; characters beyond ASCII become '?'. */
function characterOf(hex: string | undefined, decimal: string | undefined, name: string): string {
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal ?? '', 10);
  if (Number.isNaN(code)) return NAMED[name.toLowerCase()] ?? '?';
  if (code === 9 || code === 10 || code === 13) return '';
  return code < 0x80 ? String.fromCharCode(code) : '?';
}

export const understood = (text: string) => textRangeOf(text, [{ from: 0, to: text.length, plain: false }]).text;
