import { coverJpeg } from './jpeg.ts';
import { coverMovie, movieEnd } from './movie.ts';
import type { Region } from './region.ts';

const SEARCHED = 64 * 1024;
/** Longer than any of the marks that are looked for. */
const OVERLAP = 64;

/** Marks of what may carry notes: trailers by makers, other files, words of metadata. */
const SUSPECT =
  /AXS[!*]|\xa1\xb2\xc3\xd4|cbipcbbl|CANON OPTIONAL DATA|zmie|QDIOBS|SEF[HT]|8db42d694ccc41|NIKON APP|vivo\{|LIGOGPS|ftyp|moov|exif\0|II\*\0|MM\0\*|xpacket|xmpmeta|ns\.adobe\.com|8BIM|RIFF|\x89PNG|GPS|latitude|longitude|serial|\xa9xyz|loci|mcc_data|location/i;

/**
 * Covers what stands behind the end of a picture: other pictures (of a gain map, of a preview) and short films are
 * covered for themselves, and the rest is blanked where it looks like metadata.
 */
export function coverTail(tail: Region): void {
  let position = 0;
  let gap = 0;
  while (position < tail.length) {
    const found = nextFile(tail, position);
    const file = tail.inner(found);
    const length = found >= tail.length ? 0 : (movieEnd(file) ?? coverJpegAt(file));
    if (length === undefined) {
      position = found + 1;
      continue;
    }
    coverGap(tail.inner(gap, found));
    if (file.text(4, 8) === 'ftyp') coverMovie(file.inner(0, length));
    position = found + length;
    gap = position;
    if (length === 0) return;
  }
  coverGap(tail.inner(gap));
}

const coverJpegAt = (file: Region) => (file.text(0, 3) === '\xff\xd8\xff' ? coverJpeg(file) : undefined);

/** Where a JPEG or a film may begin. */
function nextFile(tail: Region, from: number): number {
  for (let position = from; position < tail.length; position += SEARCHED - OVERLAP) {
    const text = tail.text(position, position + SEARCHED);
    const [jpeg, film] = [text.indexOf('\xff\xd8\xff'), text.indexOf('ftyp', 4) - 4];
    const found = [jpeg, film].filter((at) => at >= 0);
    if (found.length > 0) return position + Math.min(...found);
  }
  return tail.length;
}

function coverGap(gap: Region): void {
  for (let position = 0; position < gap.length; position += SEARCHED - OVERLAP) {
    if (!SUSPECT.test(gap.text(position, position + SEARCHED))) continue;
    gap.blank();
    return;
  }
}
