import type { Region } from '../bytes/region.ts';
import { redactJpeg, wholeJpegEnd } from './jpeg.ts';

const SEARCHED = 64 * 1024;
/** A JPEG's first mark and the beginning of its first segment. */
const JPEG = /\xff\xd8\xff[\xc0-\xcf\xdb\xdd\xe0-\xef\xfe]/;
/** Longer than the mark, by one byte less. */
const OVERLAP = 3;
const MAX_TEXT = 64 * 1024;
/** Words of notes, in text that stands behind a picture. */
const SUSPECT = /gps|latitude|longitude|serial|location|xpacket|xmpmeta|ns\.adobe\.com|exif|8bim|base64/i;

/**
 * Covers what stands behind the end of a picture. No decoder shows any of it, and too many programs leave too much there
 * (films, archives, trailers of makers, compressed notes), so that all of it goes that is not plainly nothing: padding,
 * or a few words.
 */
export function redactTail(tail: Region): void {
  if (!isPadding(tail) && !isPlainText(tail)) tail.blank();
}

/** Behind a JPEG, whole JPEGs may stand: a gain map or a preview, which stay and are covered by the same rules. */
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

/** One value throughout. */
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
