import { type Region, together } from '../bytes/region.ts';
import { type Box, boxesOf, freeBox } from './boxes.ts';
import { type Item, readItems } from './heif-items.ts';
import { redactThumbnail } from './jpeg.ts';
import { hasOtherTracks, redactBox } from './movie.ts';
import { redactJpegTail, redactTail } from './tail.ts';
import { redactExif } from './tiff.ts';
import { redactXmp } from './xmp.ts';

const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';
/** Boxes that describe the picture and its parts. */
const DESCRIBING = new Set(['hdlr', 'pitm', 'iinf', 'iloc', 'iref', 'iprp', 'idat', 'grpl', 'dinf', 'ipro', 'iods']);
const CODED = new Set(['ftyp', 'mdat', 'idat', 'moof', 'mfra', 'sidx', 'styp']);
const FREE = new Set(['free', 'skip', 'wide']);
const PICTURES = new Set('hvc1 hev1 lhv1 av01 avc1 vvc1 evc1 j2k1 jxs1 unci grid iden iovl tmap mski'.split(' '));

/** Redacts HEIC and AVIF (ISO/IEC 23008-12): metadata items and boxes, and bytes after the last box. */
export function redactHeif(file: Region): void {
  const boxes = boxesOf(file);
  for (const box of boxes) redactTop(file, box);
  redactTail(file.inner(boxes.at(-1)?.end ?? 0));
}

function redactTop(file: Region, box: Box): void {
  if (CODED.has(box.type)) return;
  if (box.type === 'meta') redactMeta(file, box.content);
  else if (box.type === 'uuid') redactUuid(file, box);
  else if (FREE.has(box.type)) redactTail(box.content);
  else if (box.type !== 'moov') freeBox(file, box);
  else if (hasOtherTracks(box.content)) throw new RangeError('a track of another kind');
  else redactBox(file, box);
}

function redactUuid(parent: Region, box: Box): void {
  if (box.content.part(0, 16).toString('hex') === XMP_UUID) redactXmp(box.content.inner(16));
  else freeBox(parent, box);
}

function redactMeta(file: Region, meta: Region): void {
  const boxes = boxesOf(meta, 4);
  const end = boxes.at(-1)?.end ?? 4;
  if (end < meta.length) throw new RangeError('a table that does not end');
  for (const box of boxes) {
    if (box.type === 'uuid') redactUuid(meta, box);
    else if (!DESCRIBING.has(box.type) && box.type !== 'free') freeBox(meta, box);
  }
  const held = boxes.filter(({ type }) => type === 'idat');
  if (held.length > 1) throw new RangeError('two boxes of data');
  const dataOf = (item: Item) => contentOf(file, held[0]?.content, item);
  for (const item of readItems(boxes)) redactItem(item, () => dataOf(item));
}

function redactItem({ type, contentType, encoded }: Item, dataOf: () => Region | undefined): void {
  if (type === 'Exif') {
    const data = dataOf();
    if (data !== undefined) redactExif(data.inner(exifStart(data)));
  } else if (type === 'mime') {
    const data = dataOf();
    if (!encoded && /xml|text|json/i.test(contentType)) data && redactXmp(data);
    else data?.blank();
  } else if (type === 'jpeg') {
    const data = dataOf();
    const end = data && redactThumbnail(data);
    if (data && end !== undefined) redactJpegTail(data.inner(end));
  } else if (!PICTURES.has(type)) {
    dataOf()?.blank();
  }
}

/** Start of the TIFF header. The offset normally skips "Exif\0\0"; some writers omit one or both. */
function exifStart(data: Region): number {
  const head = data.part(0, 8);
  if (/^(?:II\*\0|MM\0\*)/.test(head.toString('latin1'))) return 0;
  if (head.toString('latin1').startsWith('Exif\0\0')) return 6;
  return head.length < 4 ? 0 : 4 + head.readUInt32BE(0);
}

function contentOf(file: Region, idat: Region | undefined, { extents, method }: Item): Region | undefined {
  const source = method === 0 ? file : idat;
  if (method > 1) throw new RangeError('an item made of others');
  const parts = extents
    .filter(({ at }) => source !== undefined && at < source.length)
    .map(({ at, length }) => {
      if (length === 0) throw new RangeError('an item without a length');
      return source?.inner(at, Math.min(at + length, source.length));
    });
  const regions = parts.filter((part) => part !== undefined);
  return regions.length === 0 ? undefined : together(regions);
}
