import { box } from './containers.ts';
import { HARMLESS_XMP } from './notes.ts';
import { photograph } from './pictures.ts';

export const made = () => photograph(120, 90);

export const jpeg = await made().jpeg().toBuffer();
export const png = await made().png().toBuffer();
export const webp = await made().webp().toBuffer();
export const gif = await made().gif().toBuffer();
export const avif = await made().avif({ effort: 0 }).toBuffer();
/** A WebP in the extended format, the only one that may contain metadata chunks. */
export const vp8x = await made().webp().withXmp(HARMLESS_XMP).toBuffer();

export const svg = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/>${content}</svg>`,
  );

export const film = (...insides: Buffer[]) =>
  Buffer.concat([
    box('ftyp', 'mp42\0\0\0\0isommp42'),
    box('moov', box('mvhd', Buffer.alloc(100)), ...insides),
    box('mdat', Buffer.alloc(300, 0x5a)),
  ]);
