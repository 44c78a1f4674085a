import { statSync } from 'node:fs';
import { refusalOf } from '../core/failure.ts';
import { openBytes } from '../core/file-bytes.ts';
import type { DecodeLimits } from '../core/limits.ts';
import { CONTENT_TYPES } from '../formats/content-types.ts';
import { findSensitiveMetadata } from '../metadata/find.ts';
import type { Outcome, Wanted } from '../protocol/messages.ts';
import { type Inspected, inspect } from './inspect.ts';
import { render } from './renditions.ts';

/**
 * Judges and decodes one file. Rejects where it cannot be opened.
 * @param wanted what to make beside what every picture has
 * @param before waits for what the picture needs, once that is known and before its pixels are decoded
 */
export async function decode(
  path: string,
  limits: DecodeLimits,
  wanted: Wanted = {},
  before: (picture: Inspected) => Promise<void> = async () => {},
): Promise<Outcome> {
  const bytes = openBytes(path);
  try {
    const picture = await inspect(bytes, limits);
    await before(picture);
    const traces = findSensitiveMetadata(bytes, picture.format);
    // Its link may be refused: then a rendition for the screen is all that can be shown.
    const screen = picture.needsScreen || wanted.screen || traces.traces === 'unreadable';
    const renditions = await render(picture, limits, { screen, avif: wanted.avif });
    return { ok: true, image: { ...CONTENT_TYPES[picture.format], camera: picture.camera, ...renditions, ...traces } };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error; // the disk's fault
    // libvips opens the file by its name, and says of one that is gone no more than that it cannot be read.
    statSync(path);
    // What is no refusal yet is a parser that ran off the end of hostile bytes.
    return { ok: false, failure: refusalOf(error).failure };
  } finally {
    bytes.close();
  }
}
