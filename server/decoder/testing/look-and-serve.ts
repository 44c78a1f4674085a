import type { Format } from '../formats/content-types.ts';
import { heldBytes } from '../metadata/bytes/held-bytes.ts';
import { patchesOf, redactBytes } from '../metadata/bytes/redaction.ts';
import { findSensitiveMetadata } from '../metadata/find.ts';

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
export const look = (name: string, bytes: Buffer) => findSensitiveMetadata(heldBytes(bytes), formatOf(name));

export function served(name: string, bytes: Buffer): Buffer {
  const { redaction } = look(name, bytes);
  return redaction === undefined ? bytes : redactBytes(bytes, 0, patchesOf(redaction));
}
