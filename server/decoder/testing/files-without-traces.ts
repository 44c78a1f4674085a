/** Pictures without locations and serial numbers, including misleading ones. */
import { chunk, gifXmp, packed, resource, segment, withChunks, withSegments } from './containers.ts';
import { exifSegment, photoshop, xmpSegment } from './jpeg-notes.ts';
import * as notes from './notes.ts';
import { animation } from './pictures.ts';
import { avif, gif, jpeg, made, png, svg, vp8x, webp } from './plain-files.ts';

export const WITHOUT: Record<string, Buffer> = {
  'plain.jpg': jpeg,
  'plain.png': png,
  'plain.webp': webp,
  'plain.gif': gif,
  'plain.avif': avif,
  'plain.tiff': await made().tiff().toBuffer(),
  'plain.svg': svg('<text>GPS</text><g id="city" data-country="FR"/>'),
  'moving.gif': await animation(60, 40, 5).gif().toBuffer(),
  'moving.webp': await animation(60, 40, 5).webp().toBuffer(),
  'harmless EXIF.jpg': withSegments(jpeg, [exifSegment({ gps: false, serial: false, makerNote: false })]),
  'harmless EXIF.png': withChunks(png, chunk('eXIf', notes.exif({ gps: false, serial: false, makerNote: false }))),
  'harmless XMP.jpg': withSegments(jpeg, [xmpSegment(notes.HARMLESS_XMP)]),
  'harmless XMP.webp': vp8x,
  'harmless XMP.gif': Buffer.concat([gif.subarray(0, -1), gifXmp(notes.HARMLESS_XMP), Buffer.from(';')]),
  'packed harmless XMP.png': withChunks(
    png,
    chunk('iTXt', 'XML:com.adobe.xmp\0\x01\0\0\0', packed(notes.HARMLESS_XMP)),
  ),
  'speeds in XMP.jpg': withSegments(jpeg, [
    xmpSegment(notes.xmp('exifEX:ISOSpeedLatitudeyyy="100"', 'xmlns:exifEX="http://cipa.jp/exif/1.0/"')),
  ]),
  'a profile.jpg': await made().withIccProfile('p3').jpeg().toBuffer(),
  'a profile.png': await made().withIccProfile('p3').png().toBuffer(),
  'a comment.jpg': withSegments(jpeg, [segment(0xfe, 'A walk in London with a GPS')]),
  'a title.jpg': withSegments(jpeg, [photoshop(resource(0x0404, notes.iptc([[5, 'A title']])))]),
  'empty EXIF.jpg': withSegments(jpeg, [segment(0xe1, 'Exif\0\0', Buffer.alloc(60))]),
  'another picture behind it.jpg': withSegments(jpeg, [], jpeg),
  'a font.svg': svg(
    `<style>@font-face{src:url(data:font/woff2;base64,${Buffer.from('wOF2....').toString('base64')})}</style>`,
  ),
  'a photograph without notes.svg': svg(`<image href="data:image/jpeg;base64,${jpeg.toString('base64')}"/>`),
  'a drawing in it.svg': svg(`<image href="data:image/svg+xml;utf8,${encodeURIComponent(svg('').toString())}"/>`),
  'words about data.svg': svg('<desc>Source data: 2010, 5% of all, by longitude</desc>'),
  'by old Illustrator.svg': Buffer.from(`<!DOCTYPE svg [<!ENTITY st0 "fill:#FFFFFF;">]>${svg('<g style="&st0;"/>')}`),
  'in UTF-16.svg': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg('<g/>').toString(), 'utf16le')]),
  'padding behind it.jpg': withSegments(jpeg, [], Buffer.alloc(5000)),
  'words behind it.gif': Buffer.concat([gif, Buffer.from('nothing much')]),
  'notes.png': withChunks(png, chunk('tEXt', 'Software\0A program'), chunk('iTXt', 'Title\0\0\0\0\0A title')),
};
