/** Metadata made by hand, byte by byte, in every place where a picture may carry some. */
import { crc32, deflateSync } from 'node:zlib';

type Value = { tag: number; type: number; count: number; bytes: Buffer };

const text = (tag: number, value: string): Value => {
  const bytes = Buffer.from(`${value}\0`, 'latin1');
  return { tag, type: 2, count: bytes.length, bytes };
};

export type ExifWanted = {
  little?: boolean;
  gps?: boolean;
  serial?: boolean;
  makerNote?: boolean;
  orientation?: number;
  /** A JPEG. */
  thumbnail?: Buffer;
};

/** A TIFF block: IFD0 with copyright and orientation, ExifIFD, GPS, and IFD1 with a thumbnail. */
export function exif(wanted: ExifWanted = {}): Buffer {
  const { little = true, gps = true, serial = true, makerNote = true, orientation = 6, thumbnail } = wanted;
  const u16 = (value: number) => swapped(2, value);
  const u32 = (value: number) => swapped(4, value);
  const swapped = (size: number, value: number) => {
    const bytes = Buffer.alloc(size);
    if (little) bytes.writeUIntLE(value, 0, size);
    else bytes.writeUIntBE(value, 0, size);
    return bytes;
  };
  const short = (tag: number, value: number): Value => ({ tag, type: 3, count: 1, bytes: u16(value) });
  const long = (tag: number, value: number): Value => ({ tag, type: 4, count: 1, bytes: u32(value) });
  const rationals = (tag: number, values: number[]): Value => ({
    tag,
    type: 5,
    count: values.length,
    bytes: Buffer.concat(values.flatMap((value) => [u32(value * 100), u32(100)])),
  });
  const directory = (at: number, values: Value[], next = 0): Buffer => {
    const sorted = [...values].sort((one, other) => one.tag - other.tag);
    let free = at + 2 + 12 * sorted.length + 4;
    const far: Buffer[] = [];
    const entries = sorted.map(({ tag, type, count, bytes }) => {
      const head = [u16(tag), u16(type), u32(count)];
      if (bytes.length <= 4) return Buffer.concat([...head, bytes, Buffer.alloc(4 - bytes.length)]);
      const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
      far.push(padded);
      free += padded.length;
      return Buffer.concat([...head, u32(free - padded.length)]);
    });
    return Buffer.concat([u16(sorted.length), ...entries, u32(next), ...far]);
  };

  const place = [
    { tag: 0, type: 1, count: 4, bytes: Buffer.from([2, 3, 0, 0]) },
    text(1, 'N'),
    rationals(2, [51, 30, 2.5]),
    text(3, 'W'),
    rationals(4, [0, 7, 28.4]),
  ];
  const camera = [
    { tag: 0x9000, type: 7, count: 4, bytes: Buffer.from('0232') },
    text(0x9003, '2024:05:06 07:08:09'),
    ...(makerNote
      ? [{ tag: 0x927c, type: 7, count: 40, bytes: Buffer.from('Apple iOS\0\0\x01MM'.padEnd(40, '\x11')) }]
      : []),
    ...(serial ? [text(0xa431, 'BODY-12345678'), text(0xa435, 'LENS-87654321')] : []),
  ];
  // Lengths do not depend on offsets, so a first pass finds where everything will stand.
  const first = (camera: number, place: number, thumb: number) =>
    directory(
      8,
      [
        text(0x010f, 'Maker'),
        text(0x8298, 'Copyright Somebody'),
        short(0x0112, orientation),
        long(0x8769, camera),
        ...(gps ? [long(0x8825, place)] : []),
        ...(serial ? [text(0xc62f, 'DNG-555')] : []),
      ],
      thumb,
    );
  const cameraAt = 8 + first(0, 0, 0).length;
  const placeAt = cameraAt + directory(cameraAt, camera).length;
  const thumbAt = placeAt + (gps ? directory(placeAt, place).length : 0);
  const preview = (at: number) => directory(thumbAt, [long(0x0201, at), long(0x0202, thumbnail?.length ?? 0)]);
  return Buffer.concat([
    Buffer.from(little ? 'II' : 'MM'),
    u16(42),
    u32(8),
    first(cameraAt, placeAt, thumbnail ? thumbAt : 0),
    directory(cameraAt, camera),
    ...(gps ? [directory(placeAt, place)] : []),
    ...(thumbnail ? [preview(thumbAt + preview(0).length), thumbnail] : []),
  ]);
}

export const xmp = (properties: string, namespaces = ''): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" ${namespaces} ${properties}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

export const PLACE_XMP = xmp(
  'exif:GPSLatitude="51,30.04N" exif:GPSLongitude="0,7.47W" photoshop:City="London" aux:SerialNumber="777"',
);
export const HARMLESS_XMP = xmp('xmp:CreatorTool="A program" xmp:Rating="4"');

/** IPTC datasets of record 2. */
export const iptc = (datasets: [number, string][]): Buffer =>
  Buffer.concat(
    datasets.map(([number, value]) => {
      const bytes = Buffer.from(value, 'latin1');
      return Buffer.concat([Buffer.from([0x1c, 2, number, bytes.length >> 8, bytes.length & 255]), bytes]);
    }),
  );

export const PLACE_IPTC = iptc([
  [5, 'A title'],
  [90, 'London'],
  [92, 'Westminster'],
  [95, 'England'],
  [100, 'GBR'],
  [101, 'United Kingdom'],
  [120, 'A caption'],
]);

export function resource(id: number, content: Buffer): Buffer {
  const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(content.length, 8);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export function segment(marker: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A JPEG with segments put in behind its first two bytes, and with a tail. */
export const withSegments = (jpeg: Buffer, segments: Buffer[], tail: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), tail]);

export function chunk(type: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A PNG with chunks put in behind its header. */
export const withChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

export const packed = (content: Buffer | string) => deflateSync(content);

/** Metadata as old programs write it into a PNG's texts. */
export const rawProfile = (name: string, content: Buffer): string =>
  `\n${name}\n${String(content.length).padStart(8)}\n${content.toString('hex').replace(/(.{72})/g, '$1\n')}\n`;

export function riff(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A WebP with chunks behind its own. */
export function withRiffChunks(webp: Buffer, ...chunks: Buffer[]): Buffer {
  const whole = Buffer.concat([webp, ...chunks]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
  head.writeUInt32BE(content.length + 8, 0);
  return Buffer.concat([head, content]);
}

/** A packet in a GIF's application block, with the bytes that lead readers of sub-blocks to the end. */
export function gifXmp(packet: string): Buffer {
  const ramp = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);
  return Buffer.concat([Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), Buffer.from(packet), ramp]);
}

/** A HEIF without a picture: EXIF inside its tables (construction method 1), XMP behind them in two pieces. */
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
