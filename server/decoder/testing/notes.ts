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
  // Lengths do not depend on offsets, so a first pass determines all positions.
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

/** A packet shorter than the 258 bytes that should follow it. */
export const SHORT_XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="51,30.04N"/></r:RDF></x:xmpmeta>';

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
