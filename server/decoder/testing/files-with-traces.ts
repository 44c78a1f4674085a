/** Pictures with locations and serial numbers in every possible place. */
import {
  box,
  chunk,
  gifBlock,
  gifXmp,
  packed,
  rawProfile,
  resource,
  riff,
  segment,
  withChunks,
  withRiffChunks,
  withSegments,
} from './containers.ts';
import { digits, inside, PHOTOGRAPH_URIS } from './embedded-photograph.ts';
import { cutXmp, exifSegment, photoshop, xmpSegment } from './jpeg-notes.ts';
import * as notes from './notes.ts';
import { avif, film, gif, jpeg, made, png, svg, vp8x } from './plain-files.ts';
import { commentedExif, longXmp } from './tiff-notes.ts';

const EXIF = {
  IFD0: { Copyright: 'Somebody', Make: 'Maker' },
  IFD2: { BodySerialNumber: 'BODY-1', LensSerialNumber: 'LENS-1', DateTimeOriginal: '2024:05:06 07:08:09' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 25/10', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 284/10' },
};
const traced = () => made().withExif(EXIF).withXmp(notes.PLACE_XMP);

const gps = '+51.5007-000.1246/';
const where = box('udta', box('\xa9xyz', Buffer.from([0, gps.length, 0x15, 0xc7]), gps));
const rawExif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), notes.exif()]);
const withBlocks = (block: Buffer) => Buffer.concat([gif.subarray(0, -1), block, Buffer.from(';')]);

/** Names, with the format's extension, and bytes. */
export const WITH_TRACES: Record<string, Buffer> = {
  'by sharp.jpg': await traced().jpeg().toBuffer(),
  'by sharp.png': await traced().png().toBuffer(),
  'by sharp.webp': await traced().webp().toBuffer(),
  'by sharp.avif': await traced().avif({ effort: 0 }).toBuffer(),
  'by sharp.tiff': await traced().tiff({ compression: 'lzw' }).toBuffer(),
  'big.tiff': await traced().tiff({ bigtiff: true }).toBuffer(),
  'pyramid.tiff': await traced().tiff({ pyramid: true, tile: true }).toBuffer(),
  'little endian.jpg': withSegments(jpeg, [exifSegment({ little: true })]),
  'big endian.jpg': withSegments(jpeg, [exifSegment({ little: false })]),
  'only a place.jpg': withSegments(jpeg, [exifSegment({ serial: false, makerNote: false })]),
  'only serial numbers.jpg': withSegments(jpeg, [exifSegment({ gps: false, makerNote: false })]),
  'only a note of the maker.jpg': withSegments(jpeg, [exifSegment({ gps: false, serial: false })]),
  'a thumbnail with notes.jpg': withSegments(jpeg, [
    exifSegment({ gps: false, serial: false, makerNote: false, thumbnail: inside.subarray(0, 4000) }),
  ]),
  'EXIF behind junk.jpg': withSegments(jpeg, [segment(0xe1, 'abcdExif\0\0', notes.exif())]),
  'EXIF in two segments.jpg': withSegments(jpeg, [
    segment(0xe1, 'Exif\0\0', notes.exif().subarray(0, 120)),
    segment(0xe1, 'Exif\0\0', notes.exif().subarray(120)),
  ]),
  'EXIF cut short.jpg': withSegments(jpeg, [segment(0xe1, 'Exif\0\0', notes.exif().subarray(0, 330))]),
  'XMP.jpg': withSegments(jpeg, [xmpSegment(notes.PLACE_XMP)]),
  'XMP without spaces.jpg': withSegments(jpeg, [xmpSegment(notes.xmp('xmp:Rating="4"photoshop:City="London"'))]),
  'XMP in UTF-16.jpg': withSegments(jpeg, [
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(notes.PLACE_XMP, 'utf16le')),
  ]),
  'long XMP cut in a word.jpg': withSegments(jpeg, cutXmp),
  'XMP without a header.jpg': withSegments(jpeg, [segment(0xe1, Buffer.from(notes.PLACE_XMP))]),
  'IPTC.jpg': withSegments(jpeg, [photoshop(resource(0x0404, notes.PLACE_IPTC))]),
  'IPTC across segments.jpg': withSegments(jpeg, [
    segment(0xed, 'Photoshop 3.0\0', resource(0x0404, notes.PLACE_IPTC).subarray(0, 40)),
    segment(0xed, 'Photoshop 3.0\0', resource(0x0404, notes.PLACE_IPTC).subarray(40)),
  ]),
  'resources of Photoshop.jpg': withSegments(jpeg, [
    photoshop(resource(0x0422, notes.exif()), resource(0x0424, Buffer.from(notes.PLACE_XMP))),
  ]),
  'a segment of GoPro.jpg': withSegments(jpeg, [
    segment(0xe6, 'GoPro\0', 'CASNc\x01\0\x0eC1234567890123', Buffer.alloc(2)),
  ]),
  'text of Agfa.jpg': withSegments(jpeg, [segment(0xec, '[picture info]\r\nType=X\r\nSerial#=12345\r\nVersion=1\r\n')]),
  'a picture behind it.jpg': withSegments(jpeg, [], inside),
  'two pictures behind it.jpg': withSegments(jpeg, [], Buffer.concat([jpeg, Buffer.alloc(77), inside])),
  'a film without a place behind it.jpg': withSegments(jpeg, [], film()),
  'an archive behind it.gif': Buffer.concat([gif, Buffer.from('PK\x03\x04'), packed('anything')]),
  'a film behind it.jpg': withSegments(jpeg, [], film(where)),
  'a trailer of Samsung.jpg': withSegments(jpeg, [], Buffer.from('MCC_Data310SEFH\0\0\0\0\0\0\0\0SEFT', 'latin1')),
  'XMP behind it.jpg': withSegments(jpeg, [], Buffer.from(notes.PLACE_XMP)),
  'eXIf.png': withChunks(png, chunk('eXIf', notes.exif())),
  'eXIf with a name.png': withChunks(png, chunk('eXIf', rawExif)),
  'XMP in iTXt.png': withChunks(png, chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', notes.PLACE_XMP)),
  'packed XMP in iTXt.png': withChunks(png, chunk('iTXt', 'XML:com.adobe.xmp\0\x01\0\0\0', packed(notes.PLACE_XMP))),
  'packed XMP in zTXt.png': withChunks(png, chunk('zTXt', 'XML:com.adobe.xmp\0\0', packed(notes.PLACE_XMP))),
  'raw EXIF.png': withChunks(png, chunk('tEXt', 'Raw profile type exif\0', rawProfile('exif', rawExif))),
  'packed raw EXIF.png': withChunks(
    png,
    chunk('zTXt', 'Raw profile type APP1\0\0', packed(rawProfile('generic profile', rawExif))),
  ),
  'raw IPTC.png': withChunks(
    png,
    chunk('tEXt', 'Raw profile type iptc\0', rawProfile('iptc', resource(0x0404, notes.PLACE_IPTC))),
  ),
  'texts by name.png': withChunks(png, chunk('tEXt', 'exif:GPSLatitude\0', '51/1, 30/1, 0/1')),
  'EXIF behind its end.png': Buffer.concat([png, rawExif]),
  'EXIF.webp': withRiffChunks(vp8x, riff('EXIF', notes.exif())),
  'named EXIF.webp': withRiffChunks(vp8x, riff('EXIF', rawExif)),
  'XMP.gif': Buffer.concat([gif.subarray(0, -1), gifXmp(notes.PLACE_XMP), Buffer.from([0x3b])]),
  'a box of XMP.avif': Buffer.concat([
    avif,
    box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), Buffer.from(notes.PLACE_XMP)),
  ]),
  'a film behind it.avif': Buffer.concat([avif, box('mpvd', film(where))]),
  'packed raw EXIF behind its end.png': Buffer.concat([
    png,
    chunk('zTXt', 'Raw profile type APP1\0\0', packed(rawProfile('exif', rawExif))),
  ]),
  'packed XMP behind its end.png': Buffer.concat([
    png,
    chunk('iTXt', 'XML:com.adobe.xmp\0\x01\0\0\0', packed(notes.PLACE_XMP)),
  ]),
  'XMP in UTF-16 in iTXt.png': withChunks(
    png,
    chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', Buffer.from(notes.PLACE_XMP, 'utf16le')),
  ),
  'EXIF in an unknown chunk.png': withChunks(png, chunk('exIf', notes.exif())),
  'EXIF in a packed comment.png': withChunks(png, chunk('zTXt', 'Comment\0\0', packed(notes.exif()))),
  'EXIF among other pictures.jpg': withSegments(jpeg, [
    segment(0xe2, 'MPF\0', notes.exif({ gps: false, makerNote: false })),
  ]),
  'EXIF in a comment.jpg': withSegments(jpeg, [segment(0xfe, notes.exif())]),
  'IPTC in a comment.jpg': withSegments(jpeg, [segment(0xfe, notes.PLACE_IPTC)]),
  'quoted XMP.svg': svg(`<title><![CDATA[${notes.PLACE_XMP}]]></title>`),
  'XMP in a comment.svg': svg(`<!--${notes.PLACE_XMP}-->`),
  'a box of GPS.avif': Buffer.concat([avif, box('gps0', Buffer.alloc(32, 0x11))]),
  'a comment that measures.png': withChunks(png, chunk('tEXt', 'Comment\0Latitude: 51.5007')),
  'a comment that measures.jpg': withSegments(jpeg, [segment(0xfe, 'GPSLatitude="51,30.04N"')]),
  'XMP in a comment.gif': withBlocks(gifBlock(0xfe, '', notes.PLACE_XMP)),
  'short XMP.gif': withBlocks(gifBlock(0xff, '\x0bXMP DataXMP', notes.SHORT_XMP)),
  'XMP behind its trailer.gif': Buffer.concat([gif, Buffer.from('GIF89a'), packed(notes.PLACE_XMP)]),
  'XMP behind its end.webp': Buffer.concat([vp8x, riff('XMP ', Buffer.from(notes.PLACE_XMP))]),
  'a comment in EXIF.jpg': withSegments(jpeg, [segment(0xe1, 'Exif\0\0', commentedExif)]),
  'long XMP.tiff': longXmp(await made().tiff({ compression: 'lzw' }).toBuffer()),
  'metadata in itself.svg': svg(
    '<metadata><metadata></metadata><x:Description xmlns:x="x" x:City="London"/></metadata><g/>',
  ),
  'a place behind a name.svg': Buffer.from(
    `<!DOCTYPE svg [<!ENTITY x "http://www.w3.org/2000/svg">]>${svg('<g data-latitude="51.5"/>').toString().replace('http://www.w3.org/2000/svg', '&x;')}`,
  ),
  ...Object.fromEntries(Object.entries(PHOTOGRAPH_URIS).map(([name, uri]) => [name, svg(`<image href="${uri}"/>`)])),
  'a photograph in single quotes.svg': svg(`<image href='data:image/jpeg;base64,${digits}'/>`),
  'a photograph in a style.svg': svg(`<style><![CDATA[g{fill:url(data:image/jpeg;base64,${digits})}]]></style>`),
  'a photograph in pieces of a style.svg': svg(
    `<style>g{fill:url(da<!-- -->t<![CDATA[a:image/jpeg;base64,${digits})}]]></style>`,
  ),
  'metadata.svg': svg(`<metadata>${notes.PLACE_XMP.replace(/<\?.*?\?>/g, '')}</metadata>`),
  'an attribute.svg': svg('<g data-latitude="51.5" id="a"/>'),
  'a photograph in it.svg': svg(`<image href="data:image/jpeg;base64,${inside.toString('base64')}"/>`),
};
