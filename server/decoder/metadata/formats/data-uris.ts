import type { TextRange } from '../bytes/byte-range.ts';
import { redactedCopy } from '../bytes/held-bytes.ts';
import type { Region } from '../bytes/region.ts';

/** Redacts the content of an address. @throws RangeError if it cannot be parsed */
type RedactContent = (content: Region) => void;

const SCHEME = /data:/gi;
const DIGITS = /[A-Za-z0-9+/=% \f]*/y;
const BLOCK = 4096;
/** CSS escapes that may encode a letter of the scheme. */
const ESCAPED = /\\0{0,4}(?:[46][14]|[57]4|3a)|\\[t:]/i;
const MAX_ESCAPED = 1024 * 1024;
/** Longest accepted white space before the comma; real files have none. */
const MAX_SPACE = 1000;
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \f]?|([^0-9a-f]))/gi;

/**
 * Redacts the contents of `data:` addresses (RFC 2397, URL and Fetch standards). Base64 is rewritten in place; other
 * encodings are only searched.
 * @throws RangeError for an address that cannot be decoded completely
 */
export function redactDataUris(file: Region, range: TextRange, redactContent: RedactContent): void {
  const { text } = range;
  if (hidesAddresses(text)) throw new RangeError('an address in escapes');
  const nextComma = finder(text, ',');
  const nextPercent = finder(text, '%');
  const ends = { '"': finder(text, '"'), "'": finder(text, "'"), '(': finder(text, ')') };
  const scheme = new RegExp(SCHEME);
  for (let found = scheme.exec(text); found !== null; found = scheme.exec(text)) {
    const comma = nextComma(scheme.lastIndex);
    if (comma < 0) return;
    const start = comma + 1;
    if (announcesBase64(text, comma)) {
      DIGITS.lastIndex = start;
      const [written = ''] = DIGITS.exec(text) ?? [];
      const end = start + written.length;
      if (end < text.length && !/["')]/.test(text[end] ?? ''))
        throw new RangeError('an address that is not understood');
      redactDigits(file, range, { start, written }, redactContent);
      scheme.lastIndex = end;
    } else {
      const before = text[found.index - 1] ?? '';
      const quoted = before in ends ? ends[before as keyof typeof ends](start) : -1;
      const end = quoted < 0 ? text.length : quoted;
      const percent = nextPercent(start);
      if ((percent >= 0 && percent < end) || /^ {0,100}</.test(text.slice(start, start + 101))) {
        const bytes = percentDecoded(text.slice(start, end));
        if (redactedCopy(bytes, redactContent) !== bytes) throw new RangeError('traces in an address');
        scheme.lastIndex = end;
      } else {
        // Text or unencoded data, which the search continues through.
        scheme.lastIndex = start;
      }
    }
  }
}

const count = (text: string) => text.match(SCHEME)?.length ?? 0;

/** Whether CSS escapes may hide the scheme of an address. */
export const hidesAddresses = (text: string) =>
  ESCAPED.test(text) && (text.length > MAX_ESCAPED || count(unescaped(text)) !== count(text));

const unescaped = (text: string) =>
  text.replace(ESCAPE, (_, hex: string | undefined, other: string | undefined) =>
    hex === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(hex, 16) & 0xffff),
  );

/** Returns a function that finds the mark's next position, for increasing start positions; -1 if there is none. */
function finder(text: string, mark: string): (from: number) => number {
  let last = -2;
  return (from) => {
    if (last !== -1 && last < from) last = text.indexOf(mark, from);
    return last;
  };
}

function announcesBase64(text: string, comma: number): boolean {
  let end = comma;
  while (end > comma - MAX_SPACE && (text[end - 1] === ' ' || text[end - 1] === '\f')) end -= 1;
  if (end === comma - MAX_SPACE) throw new RangeError('an address that is not understood');
  return text.slice(Math.max(0, end - 6), end).toLowerCase() === 'base64';
}

const percentDecoded = (text: string) =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

type Written = { start: number; written: string };

function redactDigits(file: Region, range: TextRange, { start, written }: Written, redactContent: RedactContent): void {
  const digits = percentDecoded(written)
    .toString('latin1')
    .replace(/[ \f\t\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits) || digits.replace(/=+$/, '').length % 4 === 1) {
    throw new RangeError('digits that are not understood');
  }
  const bytes = Buffer.from(digits, 'base64');
  const redacted = redactedCopy(bytes, redactContent);
  if (redacted !== bytes) rewrite(file, range, { start, written }, redacted.toString('base64'));
}

function rewrite(file: Region, range: TextRange, { start, written }: Written, digits: string): void {
  const from = range.placeOf(start);
  const to = range.placeOf(start + written.length - 1) + 1;
  const bytes = file.part(from, to);
  const write = (index: number, character: string) => {
    const at = range.placeOf(start + index) - from;
    if (bytes[at] !== written.charCodeAt(index)) throw new RangeError('a digit written as a reference');
    bytes[at] = character.charCodeAt(0);
  };
  let next = 0;
  for (let index = 0; index < written.length; index += 1) {
    const character = written[index];
    if (character === ' ' || character === '\f') continue;
    if (character !== '%') {
      const digit = digits[next++] ?? '=';
      if (digit !== character) write(index, digit);
      continue;
    }
    const value = String.fromCharCode(Number.parseInt(written.slice(index + 1, index + 3), 16));
    if (!/\s/.test(value)) {
      const digit = digits[next++] ?? '=';
      const hex = digit.charCodeAt(0).toString(16).toUpperCase();
      if (digit !== value) for (const [place, one] of [...hex].entries()) write(index + 1 + place, one);
    }
    index += 2;
  }
  // In blocks, so that unchanged stretches cost nothing.
  for (let at = 0; at < bytes.length; at += BLOCK) file.put(from + at, bytes.subarray(at, at + BLOCK));
}
