/** What is found in a picture, and what is then served of it. */
import { coverUp, patchesOf } from '../../redaction.ts';
import type { Format } from '../inspect.ts';
import { findTraces } from '../traces/find.ts';
import { heldBytes } from '../traces/held-bytes.ts';

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
