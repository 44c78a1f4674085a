/** What is made from an original is made anew: its renditions, and what is known of places in its metadata. */
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import type { Decoded, DecoderPool } from '../decoder/pool/pool.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable, StorageUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import { type Storage, seals } from '../storage/storage.ts';

/** The columns that follow from an original's bytes and may differ from one version of the decoder to the next. */
export type Findings = Required<
  Pick<NewImageRow, 'hasScreen' | 'thumbnailSha256' | 'screenSha256' | 'camera' | 'traces' | 'redaction'>
>;

export type RebuildParts = {
  storage: Storage;
  decoder: Pick<DecoderPool, 'decode'>;
  digests: ChecksumCache;
  /**
   * Holds the rows that name the image's content against their deletion while `write` runs, then writes the findings into them.
   * @returns the row as it is then, or another of the same content; undefined where none is left and nothing was written
   */
  renewContent: (
    image: ImageRow,
    findings: Partial<NewImageRow>,
    write: () => Promise<void>,
  ) => Promise<ImageRow | undefined>;
  /** Told, where the rows' lock may have been lost while bytes were written: the image may have been deleted before they were. */
  reconcile: (image: Pick<ImageRow, 'id' | 'contentId' | 'extension'>) => Promise<void>;
};

export const findingsOf = ({ thumbnail, screen, camera, traces, redaction }: Decoded): Findings => ({
  hasScreen: screen !== undefined,
  thumbnailSha256: sha256Of(thumbnail),
  screenSha256: screen ? sha256Of(screen) : null,
  camera,
  traces,
  redaction: redaction ?? null,
});

/**
 * With the path of an original, for the decoder. What is made from a damaged one would pass for the picture.
 * @throws DamagedOriginal; StorageUnavailable; what `work` throws
 */
export async function withSoundOriginal<T>(
  { storage, digests }: RebuildParts,
  row: ImageRow,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const original = originalKey(row);
  return storage.withLocalFile(
    original,
    async ({ path, sha256 }) => {
      // What was known of it is not so any more, or the storage failed once.
      if (sha256 === '') digests.forget(original);
      const found = sha256 || (await digests.read(original, row.sha256, row.sealed))?.sha256;
      if (sha256 === '' && found === row.sha256) throw new StorageUnavailable();
      if (found !== row.sha256) throw new DamagedOriginal();
      return work(path);
    },
    row.sealed,
  );
}

/**
 * Writes renditions of an image and what is known of them.
 *
 * @param files of those that there are, the bytes
 * @returns the row as it is then
 * @throws NotFound for a row that is gone; NoSpace, StorageUnavailable
 */
export async function renewRenditions(
  { storage, digests, renewContent, reconcile }: RebuildParts,
  row: ImageRow,
  findings: Partial<NewImageRow>,
  files: [key: string, bytes: Buffer | undefined][],
): Promise<ImageRow> {
  async function writeAll(): Promise<void> {
    for (const [key, bytes] of files) {
      if (!bytes) continue;
      const sha256 = sha256Of(bytes);
      // A disk that cannot be written may still be read: what stands there already is not written again.
      if ((await digests.read(key, sha256, row.renditionsSealed))?.sha256 === sha256) continue;
      await storage.write(key, bytes);
      // In a bucket they may be the version that the wrong ones were.
      digests.forget(key);
    }
  }

  let writing: Promise<void> | undefined;
  // Plain ones may be among them from now on.
  const marks = seals(storage) ? {} : { renditionsSealed: false };
  const renewed = await renewContent(row, { ...findings, ...marks }, () => {
    writing = writeAll();
    return writing;
  }).catch(async (error) => {
    // It may still be writing: a lost connection ends the transaction at once.
    await writing?.catch(() => undefined);
    if (writing) await reconcile(row);
    throw error;
  });
  if (!renewed) throw new NotFound('There is no image at this link. It may have been deleted.');
  return renewed;
}

/**
 * @returns the row with its new digests
 * @throws DamagedOriginal, RenditionUnavailable where the original cannot be decoded (any more), NotFound for a row that is
 * gone; NoSpace, StorageUnavailable
 */
export async function rebuildRenditions(parts: RebuildParts, row: ImageRow): Promise<ImageRow> {
  const outcome = await withSoundOriginal(parts, row, (path) => parts.decoder.decode(path));
  if (!outcome.ok) throw new RenditionUnavailable();
  const { thumbnail, screen } = outcome.image;
  // What could not be made behind the answer may be tried again too.
  const { screenSha256, ...findings } = { ...findingsOf(outcome.image), renditionsDue: true };
  // One that was made behind the answer stays.
  const kept = screen || row.hasScreen ? { ...findings, screenSha256 } : findings;
  return renewRenditions(parts, row, kept, [
    [thumbnailKey(row), thumbnail],
    [screenKey(row), screen],
  ]);
}
