import type { Region } from '../bytes/region.ts';
import { redactJpeg, wholeJpegEnd } from './jpeg.ts';

const SEARCHED = 64 * 1024;
/** A JPEG's first marker and the start of its first segment. */
const JPEG = /\xff\xd8\xff[\xc0-\xcf\xdb\xdd\xe0-\xef\xfe]/;
/** One byte less than the pattern's length. */
const OVERLAP = 3;
const MAX_TEXT = 64 * 1024;
/** Words of metadata in text after a picture. */
const SUSPECT = /gps|latitude|longitude|serial|location|xpacket|xmpmeta|ns\.adobe\.com|exif|8bim|base64/i;

/** Blanks bytes after a picture, except padding and plain words: programs store films, archives and metadata there. */
export function redactTail(tail: Region): void {
  if (!isPadding(tail) && !isPlainText(tail)) tail.blank();
}

/** Redacts bytes after a JPEG. Complete JPEGs there (gain maps, previews) are redacted rather than blanked. */
export function redactJpegTail(tail: Region): void {
  let gap = 0;
  for (let from = 0; from < tail.length; ) {
    const at = nextJpeg(tail, from);
    const end = at === undefined ? undefined : wholeJpegEnd(tail.inner(at));
    if (at === undefined) break;
    from = at + (end ?? 1);
    if (end === undefined) continue;
    redactTail(tail.inner(gap, at));
    redactJpeg(tail.inner(at, from));
    gap = from;
  }
  redactTail(tail.inner(gap));
}

function nextJpeg(tail: Region, from: number): number | undefined {
  for (let position = from; position < tail.length; position += SEARCHED - OVERLAP) {
    const found = tail.text(position, position + SEARCHED).search(JPEG);
    if (found >= 0) return position + found;
  }
  return undefined;
}

function isPadding(tail: Region): boolean {
  const [value] = tail.part(0, 1);
  for (let position = 0; position < tail.length; position += SEARCHED) {
    if (!tail.part(position, position + SEARCHED).every((byte) => byte === value)) return false;
  }
  return true;
}

function isPlainText(tail: Region): boolean {
  if (tail.length > MAX_TEXT) return false;
  const text = tail.text(0, tail.length);
  return /^[\t\n\r\x20-\x7e]*$/.test(text) && !SUSPECT.test(text);
}
