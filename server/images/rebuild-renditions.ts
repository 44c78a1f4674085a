/** What is made from an original is made anew: its renditions, and what is known of places in its metadata. */

import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable } from '../errors.ts';
import { sha256Of } from '../sha256.ts';
import type { Storage } from '../storage/storage.ts';
import type { Decoded, DecoderPool } from './decoder/pool.ts';
import type { Digests } from './digests.ts';
import { originalKey, screenKey, thumbnailKey } from './keys.ts';

/** The columns that follow from an original's bytes and may differ from one version of the decoder to the next. */
export type Findings = Required<
  Pick<NewImageRow, 'hasScreen' | 'thumbnailSha256' | 'screenSha256' | 'traces' | 'redaction'>
>;

export type RebuildParts = {
  storage: Storage;
  decoder: Pick<DecoderPool, 'decode'>;
  digests: Digests;
  /**
   * Holds the rows that name the image's content against their deletion while `write` runs, then writes the findings into them.
   * @returns the row as it is then, or another of the same content; undefined where none is left and nothing was written
   */
  renewContent: (image: ImageRow, findings: Findings, write: () => Promise<void>) => Promise<ImageRow | undefined>;
  /** Told, where the rows' lock may have been lost while bytes were written: the image may have been deleted before they were. */
  doubt: (image: Pick<ImageRow, 'id' | 'contentId' | 'extension'>) => Promise<void>;
};

export const findingsOf = ({ thumbnail, screen, traces, redaction }: Decoded): Findings => ({
  hasScreen: screen !== undefined,
  thumbnailSha256: sha256Of(thumbnail),
  screenSha256: screen ? sha256Of(screen) : null,
  traces,
  redaction: redaction ?? null,
});

/**
 * @returns the row with its new digests
 * @throws DamagedOriginal, RenditionUnavailable where the original cannot be decoded (any more), NotFound for a row that is
 * gone; NoSpace, StorageUnavailable
 */
export async function rebuildRenditions(
  { storage, decoder, digests, renewContent, doubt }: RebuildParts,
  row: ImageRow,
): Promise<ImageRow> {
  const original = originalKey(row);
  // What is made from a damaged original would pass for the picture.
  if ((await digests.read(original))?.sha256 !== row.sha256) throw new DamagedOriginal();
  const outcome = await decoder.decode(storage.localPath(original));
  if (!outcome.ok) throw new RenditionUnavailable();
  const { thumbnail, screen } = outcome.image;
  const findings = findingsOf(outcome.image);

  /** A disk that cannot be written may still be read: what stands there already is not written again. */
  async function put(key: string, bytes: Uint8Array, sha256: string): Promise<void> {
    if ((await digests.read(key))?.sha256 !== sha256) await storage.write(key, bytes);
  }

  let writing: Promise<void> | undefined;
  async function writeAll(): Promise<void> {
    await put(thumbnailKey(row), thumbnail, sha256Of(thumbnail));
    if (screen) await put(screenKey(row), screen, sha256Of(screen));
    else if (row.hasScreen) await storage.remove(screenKey(row));
  }
  const renewed = await renewContent(row, findings, () => {
    writing = writeAll();
    return writing;
  }).catch(async (error) => {
    // It may still be writing: a lost connection ends the transaction at once.
    await writing?.catch(() => undefined);
    if (writing) await doubt(row);
    throw error;
  });
  if (!renewed) throw new NotFound('There is no image at this link. It may have been deleted.');
  return renewed;
}
