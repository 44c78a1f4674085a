/** Pictures with places and serial numbers wherever one can stand, and pictures with none. */
import { coverUp, patchesOf } from '../../redaction.ts';
import type { Format } from '../inspect.ts';
import { findTraces } from '../traces/find.ts';
import { heldBytes } from '../traces/held-bytes.ts';
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
import * as notes from './notes.ts';
import { animation, photograph } from './pictures.ts';

const EXIF = {
  IFD0: { Copyright: 'Somebody', Make: 'Maker' },
  IFD2: { BodySerialNumber: 'BODY-1', LensSerialNumber: 'LENS-1', DateTimeOriginal: '2024:05:06 07:08:09' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 25/10', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 284/10' },
};
const made = () => photograph(120, 90);
const traced = () => made().withExif(EXIF).withXmp(notes.PLACE_XMP);

export const jpeg = await made().jpeg().toBuffer();
const png = await made().png().toBuffer();
const webp = await made().webp().toBuffer();
const gif = await made().gif().toBuffer();
export const avif = await made().avif({ effort: 0 }).toBuffer();
const exifSegment = (wanted?: notes.ExifWanted) => segment(0xe1, 'Exif\0\0', notes.exif(wanted));
const xmpSegment = (packet: string) => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(packet));
const photoshop = (...resources: Buffer[]) => segment(0xed, 'Photoshop 3.0\0', ...resources);
const long = notes.xmp(`xmp:Label="${'x'.repeat(300)}" exif:GPSLatitude="51,30.04N"`);
const extended = (from: number, to: number) => {
  const place = Buffer.alloc(8);
  place.writeUInt32BE(long.length, 0);
  place.writeUInt32BE(from, 4);
  const head = `http://ns.adobe.com/xmp/extension/\0${'0123456789ABCDEF'.repeat(2)}`;
  return segment(0xe1, head, place, Buffer.from(long).subarray(from, to));
};
const cut = long.indexOf('GPSLat') + 3;
export const film = (...insides: Buffer[]) =>
  Buffer.concat([
    box('ftyp', 'mp42\0\0\0\0isommp42'),
    box('moov', box('mvhd', Buffer.alloc(100)), ...insides),
    box('mdat', Buffer.alloc(300, 0x5a)),
  ]);
const gps = '+51.5007-000.1246/';
const where = box('udta', box('\xa9xyz', Buffer.from([0, gps.length, 0x15, 0xc7]), gps));
const rawExif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), notes.exif()]);
const inside = withSegments(jpeg, [exifSegment({ orientation: 1 })]);
export const svg = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/>${content}</svg>`,
  );
const digits = inside.toString('base64');
/** Addresses of a photograph with notes, as programs write them. */
const PHOTOGRAPHS = {
  'a photograph in lines.svg': `data:image/jpeg;base64,${digits.replace(/.{76}/g, '$&\n')}`,
  'a photograph by Inkscape.svg': `data:image/jpeg;base64,${digits.replace(/.{76}/g, '$&&#10;')}`,
  'a photograph by Illustrator.svg': `data:image/jpeg;base64,${digits.replace(/.{76}/g, '$&&#xA;')}`,
  'a photograph with a parameter.svg': `data:image/jpeg;charset=utf-8;base64,${digits}`,
  'a photograph without a type.svg': `data:;base64,${digits}`,
  'a photograph in percents.svg': `data:image/jpeg;base64,${encodeURIComponent(digits)}`,
  'a photograph in capitals.svg': `DATA:image/jpeg;BASE64,${digits}`,
  'a photograph behind a reference.svg': `d&#97;&#10;ta:image/jpeg;base64,${digits}`,
  'a photograph in a drawing in it.svg': `data:image/svg+xml;base64,${svg(
    `<image href="data:image/jpeg;base64,${digits}"/>`,
  ).toString('base64')}`,
};
const vp8x = await made().webp().withXmp(notes.HARMLESS_XMP).toBuffer();

/** A packet of less than the 258 bytes that should follow it. */
const SHORT_XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="51,30.04N"/></r:RDF></x:xmpmeta>';
const withBlocks = (block: Buffer) => Buffer.concat([gif.subarray(0, -1), block, Buffer.from(';')]);
/** EXIF whose copyright stands where a description does. */
const commented = Buffer.from(notes.exif({ gps: false, serial: false, makerNote: false }));
commented.writeUInt16LE(0x010e, commented.indexOf(Buffer.from([0x98, 0x82])));
commented.write('Latitude: 51.50', commented.indexOf('Copyright Some'), 'latin1');
/** A TIFF with a packet that is longer than what is looked into. */
function longXmp(tiff: Buffer): Buffer {
  const packet = Buffer.from(notes.PLACE_XMP.replace('<x:xmpmeta', `${' '.repeat(17 * 1024 * 1024)}<x:xmpmeta`));
  const table = tiff.readUInt32LE(4);
  const count = tiff.readUInt16LE(table);
  const entry = Buffer.alloc(12);
  entry.writeUInt16LE(0x02bc, 0);
  entry.writeUInt16LE(1, 2);
  entry.writeUInt32LE(packet.length, 4);
  entry.writeUInt32LE(tiff.length, 8);
  const entries = Array.from({ length: count }, (_, index) =>
    tiff.subarray(table + 2 + 12 * index, table + 14 + 12 * index),
  );
  const sorted = [...entries, entry].sort((one, other) => one.readUInt16LE(0) - other.readUInt16LE(0));
  const head = Buffer.from(tiff);
  head.writeUInt32LE(tiff.length + packet.length, 4);
  return Buffer.concat([head, packet, Buffer.from([count + 1, 0]), ...sorted, Buffer.alloc(4)]);
}

/** Name, with the format's extension, and bytes. */
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
  'long XMP cut in a word.jpg': withSegments(jpeg, [
    xmpSegment(notes.HARMLESS_XMP),
    extended(cut, long.length),
    extended(0, cut),
  ]),
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
  'short XMP.gif': withBlocks(gifBlock(0xff, '\x0bXMP DataXMP', SHORT_XMP)),
  'XMP behind its trailer.gif': Buffer.concat([gif, Buffer.from('GIF89a'), packed(notes.PLACE_XMP)]),
  'XMP behind its end.webp': Buffer.concat([vp8x, riff('XMP ', Buffer.from(notes.PLACE_XMP))]),
  'a comment in EXIF.jpg': withSegments(jpeg, [segment(0xe1, 'Exif\0\0', commented)]),
  'long XMP.tiff': longXmp(await made().tiff({ compression: 'lzw' }).toBuffer()),
  'metadata in itself.svg': svg(
    '<metadata><metadata></metadata><x:Description xmlns:x="x" x:City="London"/></metadata><g/>',
  ),
  'a place behind a name.svg': Buffer.from(
    `<!DOCTYPE svg [<!ENTITY x "http://www.w3.org/2000/svg">]>${svg('<g data-latitude="51.5"/>').toString().replace('http://www.w3.org/2000/svg', '&x;')}`,
  ),
  ...Object.fromEntries(Object.entries(PHOTOGRAPHS).map(([name, uri]) => [name, svg(`<image href="${uri}"/>`)])),
  'a photograph in single quotes.svg': svg(`<image href='data:image/jpeg;base64,${digits}'/>`),
  'a photograph in a style.svg': svg(`<style><![CDATA[g{fill:url(data:image/jpeg;base64,${digits})}]]></style>`),
  'a photograph in pieces of a style.svg': svg(
    `<style>g{fill:url(da<!-- -->t<![CDATA[a:image/jpeg;base64,${digits})}]]></style>`,
  ),
  'metadata.svg': svg(`<metadata>${notes.PLACE_XMP.replace(/<\?.*?\?>/g, '')}</metadata>`),
  'an attribute.svg': svg('<g data-latitude="51.5" id="a"/>'),
  'a photograph in it.svg': svg(`<image href="data:image/jpeg;base64,${inside.toString('base64')}"/>`),
};

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
  'EXIF that tells nothing.jpg': withSegments(jpeg, [exifSegment({ gps: false, serial: false, makerNote: false })]),
  'EXIF that tells nothing.png': withChunks(
    png,
    chunk('eXIf', notes.exif({ gps: false, serial: false, makerNote: false })),
  ),
  'XMP that tells nothing.jpg': withSegments(jpeg, [xmpSegment(notes.HARMLESS_XMP)]),
  'XMP that tells nothing.webp': vp8x,
  'XMP that tells nothing.gif': Buffer.concat([gif.subarray(0, -1), gifXmp(notes.HARMLESS_XMP), Buffer.from(';')]),
  'packed XMP that tells nothing.png': withChunks(
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

const FORMATS: Record<string, Format> = {
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  avif: 'avif',
  tiff: 'tiff',
  svg: 'svg',
  heic: 'heic',
};
const formatOf = (name: string): Format => FORMATS[name.slice(name.lastIndexOf('.') + 1)] ?? 'jpeg';
export const look = (name: string, bytes: Buffer) => findTraces(heldBytes(bytes), formatOf(name));

/** What the public link gives. */
export function served(name: string, bytes: Buffer): Buffer {
  const { redaction } = look(name, bytes);
  return redaction === undefined ? bytes : coverUp(bytes, 0, patchesOf(redaction));
}
