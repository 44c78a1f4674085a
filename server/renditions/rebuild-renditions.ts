/** Rebuilds what is made from an original: its renditions and the findings in its metadata. */
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import type { Decoded, DecoderPool } from '../decoder/pool/pool.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable, StorageUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import { type Storage, seals } from '../storage/storage.ts';

/** The columns that follow from an original's bytes and may differ between decoder versions. */
type Findings = Required<
  Pick<NewImageRow, 'hasScreen' | 'thumbnailSha256' | 'screenSha256' | 'camera' | 'traces' | 'redaction'>
>;

export type RebuildParts = {
  storage: Storage;
  decoder: Pick<DecoderPool, 'decode'>;
  checksums: ChecksumCache;
  /** Locks the content's rows during `write`. @returns the image's row or another one; undefined if none: nothing was written */
  renewContent: (
    image: ImageRow,
    findings: Partial<NewImageRow>,
    write: () => Promise<void>,
  ) => Promise<ImageRow | undefined>;
  /** Call if the row lock may have been lost during a write: the image may be deleted. */
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

/** Verified first: no rendition is made from damaged bytes. @throws DamagedOriginal; StorageUnavailable; errors of `work` */
export async function withSoundOriginal<T>(
  { storage, checksums }: RebuildParts,
  row: ImageRow,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const original = originalKey(row);
  return storage.withLocalFile(
    original,
    async ({ path, sha256 }) => {
      // The cached checksum is outdated, or the storage failed once.
      if (sha256 === '') checksums.forget(original);
      const found = sha256 || (await checksums.read(original, row.sha256, row.sealed))?.sha256;
      if (sha256 === '' && found === row.sha256) throw new StorageUnavailable();
      if (found !== row.sha256) throw new DamagedOriginal();
      return work(path);
    },
    row.sealed,
  );
}

/** @returns the updated row @throws NotFound if the row is deleted; NoSpace, StorageUnavailable */
export async function renewRenditions(
  { storage, checksums, renewContent, reconcile }: RebuildParts,
  row: ImageRow,
  findings: Partial<NewImageRow>,
  files: [key: string, bytes: Buffer | undefined][],
): Promise<ImageRow> {
  async function writeAll(): Promise<void> {
    for (const [key, bytes] of files) {
      if (!bytes) continue;
      const sha256 = sha256Of(bytes);
      // Existing renditions are not written again, so that a read-only disk still serves them.
      if ((await checksums.read(key, sha256, row.renditionsSealed))?.sha256 === sha256) continue;
      await storage.write(key, bytes);
      // In a bucket the new bytes may have the same version as the wrong ones.
      checksums.forget(key);
    }
  }

  let writing: Promise<void> | undefined;
  // From now on, some renditions may be plain.
  const marks = seals(storage) ? {} : { renditionsSealed: false };
  const renewed = await renewContent(row, { ...findings, ...marks }, () => {
    writing = writeAll();
    return writing;
  }).catch(async (error) => {
    // A lost connection ends the transaction while the write continues.
    await writing?.catch(() => undefined);
    if (writing) await reconcile(row);
    throw error;
  });
  if (!renewed) throw new NotFound('There is no image at this link. It may have been deleted.');
  return renewed;
}

/** @throws DamagedOriginal; RenditionUnavailable if it cannot be decoded; NotFound if the row is deleted; storage errors */
export async function rebuildRenditions(parts: RebuildParts, row: ImageRow): Promise<ImageRow> {
  const outcome = await withSoundOriginal(parts, row, (path) => parts.decoder.decode(path));
  if (!outcome.ok) throw new RenditionUnavailable();
  const { thumbnail, screen } = outcome.image;
  // `renditionsDue` also retries failed background renditions.
  const { screenSha256, ...findings } = { ...findingsOf(outcome.image), renditionsDue: true };
  // Keeps a screen rendition that was made in the background.
  const kept = screen || row.hasScreen ? { ...findings, screenSha256 } : findings;
  return renewRenditions(parts, row, kept, [
    [thumbnailKey(row), thumbnail],
    [screenKey(row), screen],
  ]);
}
