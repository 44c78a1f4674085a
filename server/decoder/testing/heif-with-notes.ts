import { box } from './containers.ts';
import { exif, PLACE_XMP } from './notes.ts';

/** A HEIF without a picture: EXIF in its tables (construction method 1), XMP after them in two pieces. */
export function heifOfNotes(): Buffer {
  const exifItem = Buffer.concat([Buffer.from([0, 0, 0, 6]), Buffer.from('Exif\0\0', 'latin1'), exif()]);
  const packet = Buffer.from(PLACE_XMP);
  const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
  const u32 = (...values: number[]) =>
    Buffer.concat(values.map((value) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)])));
  const full = (version: number) => Buffer.from([version, 0, 0, 0]);
  const kinds = box(
    'iinf',
    full(0),
    u16(2),
    box('infe', full(2), u16(1, 0), 'Exif\0'),
    box('infe', full(2), u16(2, 0), 'mime\0application/rdf+xml\0'),
  );
  const cut = 400;
  const places = (at: number) =>
    box(
      'iloc',
      full(1),
      u16(0x4400, 2),
      ...[u16(1, 1, 0, 1), u32(0, exifItem.length)],
      ...[u16(2, 0, 0, 2), u32(at, cut, at + cut + 8, packet.length - cut)],
    );
  const meta = (at: number) =>
    box(
      'meta',
      full(0),
      box('hdlr', full(0), u32(0), 'pict', Buffer.alloc(13)),
      kinds,
      places(at),
      box('idat', exifItem),
    );
  const head = box('ftyp', 'heic\0\0\0\0mif1heic');
  const at = head.length + meta(0).length + 8;
  return Buffer.concat([
    head,
    meta(at),
    box('mdat', packet.subarray(0, cut), Buffer.alloc(8, 0xee), packet.subarray(cut)),
  ]);
}
