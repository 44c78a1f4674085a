/** Rebuilds what is made from an original: its renditions and the findings in its metadata. */
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { everythingOf } from '../database/statements/access.ts';
import type { Decoder } from '../decoder/decoder.ts';
import type { Decoded } from '../decoder/pool/pool.ts';
import { DamagedOriginal, RenditionUnavailable, StorageUnavailable } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { findByContent, renewContent } from '../images/content/queries.ts';
import { contentIdOf, originalKey, screenAvifKey, screenKey, thumbnailAvifKey, thumbnailKey } from '../images/keys.ts';
import type { OrphanedBlobs } from '../images/orphaned-blobs/orphaned-blobs.ts';
import { findOwnImage } from '../images/queries.ts';
import { noImageAtLink } from '../images/refusals.ts';
import type { BackgroundNeed } from '../images/rendition-names.ts';
import { sha256Of } from '../lib/sha256.ts';
import { type Storage, seals } from '../storage/storage.ts';

/** The columns that follow from an original's bytes and may differ between decoder versions. */
type Findings = Required<
  Pick<NewImageRow, 'hasScreen' | 'thumbnailSha256' | 'screenSha256' | 'camera' | 'traces' | 'redaction'>
>;

export type RebuildParts = {
  db: Database;
  storage: Storage;
  decoder: Pick<Decoder, 'decode'>;
  checksums: ChecksumCache;
  orphanedBlobs: Pick<OrphanedBlobs, 'reconcile'>;
};

const checksumOf = (bytes: Buffer | undefined) => (bytes ? sha256Of(bytes) : null);

export const findingsOf = ({ thumbnail, screen, camera, traces, redaction }: Decoded): Findings => ({
  hasScreen: screen !== undefined,
  thumbnailSha256: sha256Of(thumbnail),
  screenSha256: checksumOf(screen),
  camera,
  traces,
  redaction: redaction ?? null,
});

/** Verified first: no rendition is made from damaged bytes. @throws DamagedOriginal; StorageUnavailable; errors of `work` */
async function withVerifiedOriginal<T>(
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
  { db, storage, checksums, orphanedBlobs }: RebuildParts,
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
  const renewed = await renewContent(db, row, { ...findings, ...marks }, () => {
    writing = writeAll();
    return writing;
  }).catch(async (error) => {
    // A lost connection ends the transaction while the write continues.
    await writing?.catch(() => undefined);
    // The lock may be lost too: the image may have been deleted before the write ended.
    if (writing) await orphanedBlobs.reconcile(row);
    throw error;
  });
  if (!renewed) throw noImageAtLink();
  return renewed;
}

/** @throws DamagedOriginal; RenditionUnavailable if it cannot be decoded; NotFound if the row is deleted; storage errors */
export async function rebuildRenditions(parts: RebuildParts, row: ImageRow): Promise<ImageRow> {
  const outcome = await withVerifiedOriginal(parts, row, (path) => parts.decoder.decode(path));
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

/** @throws DamagedOriginal, RenditionUnavailable, NotFound if the row is deleted, storage errors, an aborted signal's reason */
export async function makeBackgroundRenditions(
  parts: RebuildParts,
  row: ImageRow,
  wanted: BackgroundNeed,
  signal?: AbortSignal,
): Promise<ImageRow> {
  const outcome = await withVerifiedOriginal(parts, row, (path) => parts.decoder.decode(path, { wanted, signal }));
  if (!outcome.ok) throw new RenditionUnavailable();
  const { screen, screenAvif, thumbnailAvif } = outcome.image;
  return renewRenditions(
    parts,
    row,
    {
      ...(screen && !row.hasScreen ? { screenSha256: sha256Of(screen) } : {}),
      ...(wanted.avif
        ? {
            screenAvifSha256: checksumOf(screenAvif),
            thumbnailAvifSha256: checksumOf(thumbnailAvif),
            renditionsDue: false,
          }
        : {}),
    },
    [
      [screenKey(row), row.hasScreen ? undefined : screen],
      [screenAvifKey(row), screenAvif],
      [thumbnailAvifKey(row), thumbnailAvif],
    ],
  );
}

const changedBy = {
  first: ['traces', 'thumbnailSha256', 'hasScreen', 'renditionsSealed'],
  screen: ['screenSha256', 'renditionsSealed'],
  avif: ['thumbnailAvifSha256', 'screenAvifSha256', 'renditionsSealed'],
} as const;

/** Does nothing if another request has rebuilt them since `row` was read. @throws NotFound; errors of rebuildRenditions */
export async function rebuildMissing(parts: RebuildParts, row: ImageRow, need?: BackgroundNeed): Promise<ImageRow> {
  const { db } = parts;
  const now =
    (await findOwnImage(db, everythingOf(row.ownerId), row.id)) ?? (await findByContent(db, contentIdOf(row)));
  if (!now) throw noImageAtLink();
  const isMoved = contentIdOf(now) !== contentIdOf(row);
  const columns = changedBy[need ? (need.avif ? 'avif' : 'screen') : 'first'];
  const isDone = isMoved || columns.some((column) => now[column] !== row[column]);
  if (isDone) return now;
  return need ? makeBackgroundRenditions(parts, now, need) : rebuildRenditions(parts, now);
}
