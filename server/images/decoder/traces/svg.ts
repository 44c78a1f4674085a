import type { Span } from '../file-bytes.ts';
import { coveredCopy, rewritten } from './held-bytes.ts';
import type { Region } from './region.ts';
import { tellsOfTraces } from './words.ts';
import { textNamesTrace } from './xmp.ts';

const SPACE = 0x20;
/** Elements of description, which no drawing needs. */
const DESCRIPTION = /<((?:[\w.-]+:)?(?:metadata|xmpmeta|RDF))(?:\s[^<>]*)?(?<!\/)>/g;
const TAG = /<([A-Za-z_][\w.:-]*)([^<>]*)>/g;
const ATTRIBUTE = /\s(?:[\w.-]+:)?([A-Za-z_][\w.-]*)\s*=\s*(?:"[^"]*"|'[^']*')/g;
const EMBEDDED = /data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)/g;

/**
 * Covers an SVG: descriptions that name a place or a serial number, attributes that do so elsewhere, and the notes of
 * photographs it holds. What a drawing shows is no trace: a map may be full of places.
 * @param coverPicture covers a whole file of another format
 */
export function coverSvg(file: Region, coverPicture: (picture: Region) => void): void {
  const text = file.text(0, file.length);
  if (/\0/.test(text)) throw new RangeError('text in another encoding');
  for (const [from, to] of descriptionsIn(text)) {
    if (textNamesTrace(text.slice(from, to))) file.blank(from, to, SPACE);
  }
  coverMarkup(file);
  coverEmbedded(file, text, coverPicture);
}

/** Where the contents of descriptions stand; what stands in one another is told once. */
function descriptionsIn(text: string): Span[] {
  const spans: Span[] = [];
  const opening = new RegExp(DESCRIPTION);
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const end = text.indexOf(`</${found[1]}`, opening.lastIndex);
    if (end < 0) break; // no XML: nothing is drawn of it
    spans.push([opening.lastIndex, end]);
    opening.lastIndex = end;
  }
  return spans;
}

function coverMarkup(file: Region): void {
  const text = file.text(0, file.length);
  for (const { 1: element = '', 2: attributes = '', index } of text.matchAll(TAG)) {
    if (isTelling(localName(element))) throw new RangeError('an element that tells of a trace');
    const start = index + 1 + element.length;
    for (const { 0: whole, 1: name = '', index: at } of attributes.matchAll(ATTRIBUTE)) {
      if (isTelling(name)) file.blank(start + at, start + at + whole.length, SPACE);
    }
  }
}

/** A name that merely sounds like a place may mean the drawing's: of maps there are many. */
const isTelling = (name: string) => tellsOfTraces(name) || /^gps/i.test(name);
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function coverEmbedded(file: Region, text: string, coverPicture: (picture: Region) => void): void {
  for (const { 0: whole, 1: digits = '', index } of text.matchAll(EMBEDDED)) {
    const bytes = Buffer.from(digits, 'base64');
    const covered = coveredCopy(bytes, coverPicture);
    if (covered === bytes) continue;
    const written = rewritten(digits, /[A-Za-z0-9+/]/g, covered.toString('base64'));
    file.put(index + whole.length - digits.length, Buffer.from(written, 'latin1'));
  }
}
