import { sniff } from '../../formats/sniff.ts';
import { decodeSvg, encodingOf } from '../../formats/svg.ts';
import { textRangeOf, understood } from '../bytes/byte-range.ts';
import { redactedCopy } from '../bytes/held-bytes.ts';
import { holdsSensitive, isTellingComment } from '../bytes/patterns.ts';
import type { Region } from '../bytes/region.ts';
import { redactDataUris } from './data-uris.ts';
import { expanded } from './svg-entities.ts';
import { attributesOf, tokensOf } from './svg-tokens.ts';
import { textNamesSensitive } from './xmp.ts';

const SPACE = 0x20;
/** Pictures in a style, which are redacted separately. */
const DATA = /data:image\//gi;
const MAX_DEPTH = 4;
/** Metadata elements, which do not affect the picture. */
const DESCRIPTIONS = new Set(['metadata', 'xmpmeta', 'rdf']);
/** Illustrator's compressed source file inside the SVG. */
const PACKED = new Set(['pgf', 'aipgf']);
const FONTS = new Set(['wOFF', 'wOF2', 'OTTO', 'true', 'ttcf', '\0\x01\0\0']);
/** Encodings in which ASCII bytes only represent themselves. */
const PLAIN = /^(?:utf-?8|us-ascii|ascii|latin-?1|iso-?8859-?\d+|windows-125\d|koi8-[ru])$/i;

/** How to redact nested content, its depth, and how many addresses may follow. */
type Inside = { redactPicture: (picture: Region) => void; depth: number; left: { addresses: number } };

const MAX_ADDRESSES = 10_000;

/**
 * Redacts metadata and that of embedded photographs; visible content stays, since a map may show many places.
 * @throws RangeError for unparsable content, and for sensitive metadata behind entities or in a rare encoding
 */
export function redactSvg(file: Region, redactPicture: Inside['redactPicture']): void {
  redactDrawing(file, { redactPicture, depth: 0, left: { addresses: MAX_ADDRESSES } });
}

function redactDrawing(file: Region, inside: Inside): void {
  const bytes = file.part(0, file.length);
  const isPlain = PLAIN.test(encodingOf(bytes)) && !bytes.includes(0);
  if (isPlain) redactMarkup(file, inside);
  const text = isPlain ? file.text(0, file.length) : decodeSvg(bytes);
  if (text === undefined) throw new RangeError('no text');
  const plainer = expanded(text);
  if (isPlain && plainer === text) return;
  const copy = Buffer.from(plainer, isPlain ? 'latin1' : 'utf8');
  if (redactedCopy(copy, (whole) => redactMarkup(whole, inside)) !== copy) {
    throw new RangeError('traces in another form');
  }
}

function redactMarkup(file: Region, inside: Inside): void {
  for (const { from, to, isPacked } of descriptionsIn(file.text(0, file.length))) {
    const text = file.text(from, to);
    if (isPacked || textNamesSensitive(text) || textNamesSensitive(understood(text))) file.blank(from, to, SPACE);
  }
  redactElements(file);
  const text = file.text(0, file.length);
  for (const spans of textRangesIn(text)) {
    redactDataUris(file, textRangeOf(text, spans), (content) => redactContent(content, inside));
  }
}

/** The contents of metadata elements; nested ones count once. */
function descriptionsIn(text: string): { from: number; to: number; isPacked: boolean }[] {
  const found: { from: number; to: number; isPacked: boolean }[] = [];
  let open: { name: string; from: number; depth: number } | undefined;
  for (const token of tokensOf(text)) {
    if (token.kind !== 'open' && token.kind !== 'close') continue;
    if (open === undefined) {
      const name = localName(token.name).toLowerCase();
      const describes = DESCRIPTIONS.has(name) || PACKED.has(name);
      if (token.kind === 'open' && describes) open = { name: token.name, from: token.to, depth: 1 };
    } else if (token.name === open.name) {
      open.depth += token.kind === 'open' ? 1 : -1;
      if (open.depth > 0) continue;
      const isPacked = PACKED.has(localName(open.name).toLowerCase());
      found.push({ from: open.from, to: token.from, isPacked });
      open = undefined;
    }
  }
  if (open !== undefined) throw new RangeError('no XML');
  return found;
}

function redactElements(file: Region): void {
  const text = file.text(0, file.length);
  for (const token of tokensOf(text)) {
    // Metadata readers search comments and CDATA like markup.
    if (token.kind === 'cdata') redactWords(file, token.from + 9, token.to - 3);
    if (token.kind === 'other' && text.startsWith('<!--', token.from)) redactWords(file, token.from + 4, token.to - 3);
    if (token.kind !== 'open' && token.kind !== 'empty') continue;
    if (isTelling(localName(token.name))) throw new RangeError('a sensitive element');
    for (const { name, from, to } of attributesOf(text, token)) {
      if (isTelling(localName(name))) file.blank(from, to, SPACE);
    }
  }
}

function redactWords(file: Region, from: number, to: number): void {
  const text = file.text(from, to);
  if (/<[^\s<>]*(?:gps|serial)/i.test(text) || isTellingComment(text.replaceAll(DATA, ''))) file.blank(from, to, SPACE);
}

/** Stricter than namesSensitive: other names that sound like locations may belong to the drawing, such as a map. */
const isTelling = (name: string) => holdsSensitive(name) || /^gps/i.test(name);
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

export type Piece = { from: number; to: number; plain: boolean };

/** Texts that parsers read as one: attribute values, and text that comments may interrupt. */
export function* textRangesIn(text: string): Generator<Piece[]> {
  let pieces: Piece[] = [];
  for (const token of tokensOf(text)) {
    const { kind, from, to } = token;
    if (kind === 'text') pieces.push({ from, to, plain: false });
    else if (kind === 'cdata') pieces.push({ from: from + 9, to: to - 3, plain: true });
    else if (kind === 'other') yield [{ from, to, plain: false }];
    else if (pieces.length > 0) {
      yield pieces;
      pieces = [];
    }
    if (token.kind !== 'open' && token.kind !== 'empty') continue;
    for (const { value } of attributesOf(text, token)) yield [{ from: value[0], to: value[1], plain: false }];
  }
  if (pieces.length > 0) yield pieces;
}

/** Redacts pictures, keeps fonts, and searches text for further addresses. */
function redactContent(content: Region, { redactPicture, ...outside }: Inside): void {
  const inside = { redactPicture, ...outside, depth: outside.depth + 1 };
  inside.left.addresses -= 1;
  if (inside.depth > MAX_DEPTH || inside.left.addresses < 0) throw new RangeError('drawings within drawings');
  const kind = sniff(content.redactor.bytes);
  if (kind === 'svg') redactDrawing(content, inside);
  else if (kind !== undefined) redactPicture(content);
  else if (!FONTS.has(content.text(0, 4))) redactText(content, inside);
}

function redactText(content: Region, inside: Inside): void {
  const text = content.text(0, content.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x08\x0e-\x1f]/.test(text) || isTellingComment(text)) throw new RangeError('data that are not understood');
  const range = textRangeOf(text, [{ from: 0, to: text.length, plain: true }]);
  redactDataUris(content, range, (inner) => redactContent(inner, inside));
}
