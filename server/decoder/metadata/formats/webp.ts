import type { Region } from '../bytes/region.ts';
import { redactTail } from './tail.ts';
import { redactExif } from './tiff.ts';
import { redactXmp } from './xmp.ts';

const SHOWN = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

/** Redacts the chunks of a WebP (RFC 9649) and the bytes after them. */
export function redactWebp(file: Region): void {
  const end = 8 + file.part(4, 8).readUInt32LE();
  let at = 12;
  while (at + 8 <= end) {
    const length = file.part(at + 4, at + 8).readUInt32LE();
    redactChunk(file, at, file.inner(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  redactTail(file.inner(Math.max(end, Math.min(at, file.length))));
}

function redactChunk(file: Region, at: number, content: Region): void {
  const type = file.text(at, at + 4);
  if (type === 'EXIF') redactExif(content.inner(/^exif\0\0/i.test(content.text(0, 6)) ? 6 : 0));
  else if (type === 'XMP ') redactXmp(content);
  else if (!SHOWN.has(type)) {
    // Decoders skip unknown chunks, but metadata readers may know them.
    file.put(at, Buffer.from('VOID'));
    content.blank();
  }
}
