import { holdsSensitive, isBinary, isTellingComment } from '../bytes/patterns.ts';
import { type Region, together } from '../bytes/region.ts';
import { isCovered, redactDigests } from '../bytes/stored-digests.ts';
import { redactThumbnail } from './jpeg.ts';
import { redactPhotoshop } from './photoshop.ts';
import { redactExif } from './tiff.ts';
import { keepOrientationOnly } from './tiff-orientation.ts';
import { redactXmp, textNamesSensitive } from './xmp.ts';

/** A JPEG segment: its marker and the content after its length. */
export type Segment = { marker: number; content: Region };

const EXIF = /^([\s\S]{0,4})exif\0/i;
const EXIF_CONTINUED = /^Exif\0\0(?!MM\0\*|II\*\0)/;
const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const XMP_EXTENDED = 'http://ns.adobe.com/xmp/extension/\0';
/** Bytes before the text: signature, identity, length and offset. */
const XMP_EXTENDED_HEAD = 75;
const PICTURES = 'MPF\0';
const PHOTOSHOP = 'Photoshop 3.0\0';
const PHOTOSHOP_OLD = 'Adobe_Photoshop2.5:';

/** Starts of harmless segments, by marker: resolution, colours, offsets of other pictures, comments. */
const HARMLESS: Record<number, RegExp> = {
  224: /^(?:JFIF|JFXX|AVI1|Ocad)/,
  226: /^(?:ICC_PROFILE\0|urn:iso:std:iso:ts:21496)/,
  227: /^(?:Stim\0|_JPSJPS_)/,
  232: /^SPIFF\0/,
  234: /^(?:UNICODE\0|AROT\0)/,
  235: /^HDR_RI /,
  236: /^Ducky/,
  237: /^Adobe_CM/,
  238: /^Adobe/,
  239: /^(?:Q\s*\d+|TEXT\0)/,
};
const TEXTS: Record<number, RegExp> = { 233: /^Media Jukebox\0/, 236: /\[picture info\]|Type=/ };
/** A small JPEG, possibly after a name. */
const PREVIEW = /^(?:QVGA\0|BGTH|JFXX[\s\S]{2})?(?=\xff\xd8\xff)/;
const SPACE = 0x20;
const JUMBF = /^JP[\s\S]{14}/;

export function redactSegments(segments: readonly Segment[]): void {
  for (let index = 0; index < segments.length; index += 1) {
    const { marker, content } = segments[index] as Segment;
    const head = content.text(0, 128);
    const preview = PREVIEW.exec(head);
    if (marker === 0xfe) {
      if (isTelling(content.text(0, content.length))) content.blank(0, content.length, SPACE);
    } else if (marker === 0xe1 && EXIF.test(head)) {
      index = redactExifFrom(segments, index);
    } else if (marker === 0xed && head.startsWith(PHOTOSHOP)) {
      index = redactPhotoshopFrom(segments, index);
    } else if (marker === 0xed && head.startsWith(PHOTOSHOP_OLD)) {
      redactPhotoshop(content.inner(27));
    } else if (marker === 0xe1 && head.startsWith(XMP)) {
      redactXmp(content.inner(XMP.length));
    } else if (marker === 0xe2 && head.startsWith(PICTURES)) {
      redactExif(content.inner(PICTURES.length)); // a directory like EXIF's
    } else if (preview !== null) {
      redactThumbnail(content.inner(preview[0].length));
    } else if (marker === 0xeb && JUMBF.test(head)) {
      // Handled as a whole below, like extended XMP: a word may span segments.
    } else if (!HARMLESS[marker]?.test(head) && !isHarmlessText(marker, content) && !isExtendedXmp(marker, head)) {
      content.blank();
    }
  }
  redactExtendedXmp(segments);
  redactJumbf(segments);
}

/** EXIF across segments is rare, and its offsets span them, so only the orientation is kept. */
function redactExifFrom(segments: readonly Segment[], index: number): number {
  const { content } = segments[index] as Segment;
  const tiff = content.inner(6 + (EXIF.exec(content.text(0, 16))?.[1]?.length ?? 0));
  let last = index;
  for (let next = segments[last + 1]; next?.marker === 0xe1; next = segments[last + 1]) {
    if (!EXIF_CONTINUED.test(next.content.text(0, 16))) break;
    next.content.blank();
    last += 1;
  }
  if (last === index) redactExif(tiff);
  else keepOrientationOnly(tiff);
  return last;
}

function redactPhotoshopFrom(segments: readonly Segment[], index: number): number {
  const parts: Region[] = [];
  let last = index;
  for (let next = segments[last]; next?.marker === 0xed; next = segments[last]) {
    if (next.content.text(0, PHOTOSHOP.length) !== PHOTOSHOP) break;
    parts.push(next.content.inner(PHOTOSHOP.length));
    last += 1;
  }
  redactPhotoshop(together(parts));
  return last - 1;
}

const isTelling = (comment: string) => isBinary(comment) || isTellingComment(comment);

function isHarmlessText(marker: number, content: Region): boolean {
  const text = content.text(0, content.length);
  return TEXTS[marker]?.test(text) === true && !textNamesSensitive(text);
}

const isExtendedXmp = (marker: number, head: string) => marker === 0xe1 && head.startsWith(XMP_EXTENDED);

/** Redacts all pieces of a long packet if any is sensitive. */
function redactExtendedXmp(segments: readonly Segment[]): void {
  const position = ({ content }: Segment) => content.part(35, XMP_EXTENDED_HEAD).toString('latin1');
  const pieces = segments.filter(({ marker, content }) => isExtendedXmp(marker, content.text(0, 40)));
  const sorted = pieces.sort((one, other) => (position(one) < position(other) ? -1 : 1));
  if (pieces.length > 0) redactXmp(together(sorted.map(({ content }) => content.inner(XMP_EXTENDED_HEAD))));
  // The identity is the packet's MD5.
  for (const { content } of pieces) redactDigests(content.inner(35, 67));
}

/** Blanks provenance boxes (JUMBF) if needed: they mix text with binary or compressed data, and hash the file. */
function redactJumbf(segments: readonly Segment[]): void {
  const pieces = segments.filter(({ marker, content }) => marker === 0xeb && JUMBF.test(content.text(0, 40)));
  if (pieces.length === 0) return;
  const boxes = together(pieces.map(({ content }) => content.inner(16)));
  const text = boxes.text(0, boxes.length);
  if (holdsSensitive(text) || /location|brob/i.test(text) || isCovered(boxes)) {
    for (const { content } of pieces) content.blank();
  }
}
