import * as notes from './notes.ts';

/** EXIF whose copyright entry is changed to a description. */
export const commentedExif = Buffer.from(notes.exif({ gps: false, serial: false, makerNote: false }));
commentedExif.writeUInt16LE(0x010e, commentedExif.indexOf(Buffer.from([0x98, 0x82])));
commentedExif.write('Latitude: 51.50', commentedExif.indexOf('Copyright Some'), 'latin1');

/** A TIFF with a packet that is too long to be searched. */
export function longXmp(tiff: Buffer): Buffer {
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
