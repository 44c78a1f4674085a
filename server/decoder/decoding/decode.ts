import { statSync } from 'node:fs';
import { refusalOf } from '../core/failure.ts';
import { openBytes } from '../core/file-bytes.ts';
import type { DecodeLimits } from '../core/limits.ts';
import { CONTENT_TYPES } from '../formats/content-types.ts';
import { findSensitiveMetadata } from '../metadata/find.ts';
import type { Outcome, Wanted } from '../protocol/messages.ts';
import { type Inspected, inspect } from './inspect.ts';
import { render } from './renditions.ts';

type Steps = {
  /** Called after inspection; resolves when decoding may start. */
  before?: (picture: Inspected) => Promise<void>;
  /** Called once the file is not needed any more. */
  onRead?: () => void;
};

/** Rejects if the file cannot be read. */
export async function decode(
  path: string,
  limits: DecodeLimits,
  wanted: Wanted = {},
  { before = async () => {}, onRead }: Steps = {},
): Promise<Outcome> {
  const bytes = openBytes(path);
  try {
    const picture = await inspect(bytes, limits);
    await before(picture);
    const traces = findSensitiveMetadata(bytes, picture.format);
    // The public link of an original with unreadable metadata is refused; only a screen rendition can then be shown.
    const screen = picture.needsScreen || wanted.screen || traces.traces === 'unreadable';
    const renditions = await render(picture, limits, { screen, avif: wanted.avif }, onRead);
    return { ok: true, image: { ...CONTENT_TYPES[picture.format], camera: picture.camera, ...renditions, ...traces } };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error; // a disk failure
    // libvips opens the file by name and does not report whether it exists.
    statSync(path);
    // Any other error is a parser that failed on hostile bytes.
    return { ok: false, failure: refusalOf(error).failure };
  } finally {
    bytes.close();
  }
}
