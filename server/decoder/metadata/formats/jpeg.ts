import type { Region } from '../bytes/region.ts';
import { redactSegments, type Segment } from './segments.ts';
import { redactJpegTail } from './tail.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const MAX_SEGMENTS = 10_000;
const SCANNED = 64 * 1024;

/** Redacts segments before and between scans of the first JPEG (ITU T.81, annex B). @returns its end; undefined if none */
export function redactJpeg(jpeg: Region): number | undefined {
  const segments: Segment[] = [];
  let position = 2;
  let end: number | undefined;
  let behindScan = false;
  for (;;) {
    if (segments.length > MAX_SEGMENTS) throw new RangeError('too many segments');
    const at = nextMarker(jpeg, position);
    const [, marker = 0, high = 0, low = 0] = jpeg.part(at, at + 4);
    if (at + 2 > jpeg.length) break;
    if (!behindScan) redactGap(jpeg.inner(position, at));
    behindScan = marker === SOS;
    position = at + 2;
    if (marker === EOI) {
      end = position;
      break;
    }
    if (marker === 0x01 || marker === SOI) continue;
    const to = position + 256 * high + low;
    if (to < position + 2 || to > jpeg.length) break;
    if (holdsNotes(marker)) segments.push({ marker, content: jpeg.inner(position + 2, to) });
    // Scan data follows the header and contains no markers.
    position = to;
  }
  redactSegments(segments);
  return end;
}

/** Redacts a JPEG file and bytes after its end. @throws RangeError if it has no end: the decoder's is inside something else */
export function redactJpegFile(file: Region): void {
  const end = redactJpeg(file);
  if (end === undefined) throw new RangeError('no end');
  redactJpegTail(file.inner(end));
}

/** The end of a JPEG with a frame, a scan and no bytes between segments; anything else may look like one by chance. */
export function wholeJpegEnd(jpeg: Region): number | undefined {
  let at = 2;
  let [hasFrame, hasScan] = [false, false];
  for (let count = 0; count < MAX_SEGMENTS; count += 1) {
    const [mark, marker = 0, high = 0, low = 0] = jpeg.part(at, at + 4);
    if (mark !== 0xff) return undefined;
    if (marker === EOI) return hasScan ? at + 2 : undefined;
    if (!isMarker(marker) || marker < 0xc0 || marker === SOI || (marker >= 0xf0 && marker < 0xfe)) return undefined;
    at += 2 + 256 * high + low;
    hasFrame ||= marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (marker !== SOS) continue;
    if (!hasFrame) return undefined;
    hasScan = true;
    at = nextMarker(jpeg, at);
  }
  return undefined;
}

/** Redacts a JPEG inside another structure. @returns its end; undefined if it has none or is no JPEG */
export function redactThumbnail(bytes: Region): number | undefined {
  return bytes.text(0, 2) === '\xff\xd8' ? redactJpeg(bytes) : undefined;
}

/** Blanks bytes between segments: decoders skip them, but metadata readers may search them. */
function redactGap(gap: Region): void {
  for (let at = 0; at < gap.length; at += SCANNED) {
    if (gap.part(at, at + SCANNED).every(isFill)) continue;
    gap.blank();
    break;
  }
}

/** `ff` may precede a marker (T.81, B.1.1.2); zeros are a blanked gap. */
const isFill = (byte: number) => byte === 0xff || byte === 0;

/** Application segments, comments, and segments unknown to decoders. */
const holdsNotes = (marker: number) => (marker & 0xf0) === 0xe0 || marker < 0xc0 || marker >= 0xf0;

const isMarker = (next: number) => next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7);

/** The position of the next marker outside scan data; the region's length if there is none. */
function nextMarker(jpeg: Region, from: number): number {
  const [mark, next = 0] = jpeg.part(from, from + 2);
  if (mark === 0xff && isMarker(next)) return from;
  let position = from;
  let endsInMark = false;
  for (const bytes of jpeg.pieces(from)) {
    if (endsInMark && isMarker(bytes[0] ?? 0)) return position - 1;
    for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
      if (isMarker(bytes[at + 1] ?? 0)) return position + at;
    }
    endsInMark = bytes.at(-1) === 0xff;
    position += bytes.length;
  }
  return jpeg.length;
}
