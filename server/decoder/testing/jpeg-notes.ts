import { segment } from './containers.ts';
import * as notes from './notes.ts';

export const exifSegment = (wanted?: notes.ExifWanted) => segment(0xe1, 'Exif\0\0', notes.exif(wanted));
export const xmpSegment = (packet: string) => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(packet));
export const photoshop = (...resources: Buffer[]) => segment(0xed, 'Photoshop 3.0\0', ...resources);

const long = notes.xmp(`xmp:Label="${'x'.repeat(300)}" exif:GPSLatitude="51,30.04N"`);
const extended = (from: number, to: number) => {
  const place = Buffer.alloc(8);
  place.writeUInt32BE(long.length, 0);
  place.writeUInt32BE(from, 4);
  const head = `http://ns.adobe.com/xmp/extension/\0${'0123456789ABCDEF'.repeat(2)}`;
  return segment(0xe1, head, place, Buffer.from(long).subarray(from, to));
};
const cut = long.indexOf('GPSLat') + 3;

/** XMP too long for one segment: split inside a word, in reverse order. */
export const cutXmp = [xmpSegment(notes.HARMLESS_XMP), extended(cut, long.length), extended(0, cut)];
