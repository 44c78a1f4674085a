import type { FileBytes } from '../core/file-bytes.ts';
import { isSvg } from './svg.ts';

/** The accepted formats, by their first bytes. `heif` is AVIF or HEIC; the codec decides. */
export type Kind = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif' | 'tiff' | 'svg';

/** Bytes to search for an SVG's first element, which may follow comments and a doctype. */
export const SNIFFED = 64 * 1024;

const HEIF_BRANDS = new Set([
  'avif',
  'avis',
  'mif1',
  'mif2',
  'msf1',
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'hevm',
  'hevs',
]);

export function sniff(file: Pick<FileBytes, 'part'>): Kind | undefined {
  const bytes = file.part(0, SNIFFED);
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (ascii(0, 2) === '\xff\xd8') return 'jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 8) === 'ftyp') return HEIF_BRANDS.has(ascii(8, 12)) ? 'heif' : undefined;
  if (isTiff(bytes)) return 'tiff';
  return isSvg(bytes) ? 'svg' : undefined;
}

/** Classic TIFF and BigTIFF, but not the raw files of Canon and Phase One, which say so after the header. */
function isTiff(bytes: Buffer): boolean {
  const magic = bytes.toString('latin1', 0, 4);
  const known = magic === 'II*\0' || magic === 'MM\0*' || magic === 'II+\0' || magic === 'MM\0+';
  return known && !/^(?:CR|IIII|MMMM)/.test(bytes.toString('latin1', 8, 12));
}
