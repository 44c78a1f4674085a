/** What is made from an original is made anew: its renditions, and what is known of places in its metadata. */
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Decoded, DecoderPool } from './decoder/pool.ts';
import { type Digests, sha256Of } from './digests.ts';
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
   * Holds the image's row against its deletion while `write` runs, then writes the findings into it.
   * @returns the row as it is then, undefined where it is gone and nothing was written
   */
  renewImage: (id: string, findings: Findings, write: () => Promise<void>) => Promise<ImageRow | undefined>;
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
  { storage, decoder, digests, renewImage }: RebuildParts,
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

  const renewed = await renewImage(row.id, findings, async () => {
    await put(thumbnailKey(row), thumbnail, sha256Of(thumbnail));
    if (screen) await put(screenKey(row), screen, sha256Of(screen));
    else if (row.hasScreen) await storage.remove(screenKey(row));
  });
  if (!renewed) throw new NotFound('There is no image at this link. It may have been deleted.');
  return renewed;
}
