import type { Region } from './region.ts';
import { coverSegments, type Segment } from './segments.ts';
import { coverTail } from './tail.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const MOST_SEGMENTS = 10_000;
const SCANNED = 64 * 1024;

/**
 * Covers one JPEG that begins where the region does: its segments before and between the scans (ITU T.81, annex B).
 * @returns where it ends; undefined where no end is found
 */
export function coverJpeg(jpeg: Region): number | undefined {
  const segments: Segment[] = [];
  let position = 2;
  let end: number | undefined;
  while (segments.length < MOST_SEGMENTS) {
    const at = nextMarker(jpeg, position);
    const [, marker = 0, high = 0, low = 0] = jpeg.part(at, at + 4);
    if (at + 2 > jpeg.length) break;
    position = at + 2;
    if (marker === EOI) {
      end = position;
      break;
    }
    if (marker === 0x01 || marker === SOI) continue;
    const to = position + 256 * high + low;
    if (to < position + 2 || to > jpeg.length) break;
    if (holdsNotes(marker)) segments.push({ marker, content: jpeg.inner(position + 2, to) });
    // Behind the header of a scan come its data, in which no marker stands.
    position = to;
  }
  coverSegments(segments);
  return end;
}

/** A file that is a JPEG, with what stands behind its end. */
export function coverJpegFile(file: Region): void {
  const end = coverJpeg(file);
  if (end !== undefined) coverTail(file.inner(end));
}

/** A JPEG inside another structure, where something else may stand. */
export function coverThumbnail(bytes: Region): void {
  if (bytes.part(0, 2).readUInt16BE() === 0xffd8) coverJpeg(bytes);
}

/** Application segments, and those that no decoder knows. Comments are a person's words, and stay. */
const holdsNotes = (marker: number) => (marker & 0xf0) === 0xe0 || marker < 0xc0 || (marker >= 0xf0 && marker < 0xfe);

const isMarker = (next: number) => next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7);

/** Where the next `ff xx` stands that is none of the data of a scan; the region's length where none does. */
function nextMarker(jpeg: Region, from: number): number {
  const [mark, next = 0] = jpeg.part(from, from + 2);
  if (mark === 0xff && isMarker(next)) return from;
  for (let position = from; position < jpeg.length; ) {
    const bytes = jpeg.part(position, position + SCANNED);
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      const next = bytes[at + 1];
      if (next === undefined) break;
      if (isMarker(next)) return position + at;
    }
    // One byte less, for a mark that is cut in two.
    position += Math.max(1, bytes.length - 1);
  }
  return jpeg.length;
}
