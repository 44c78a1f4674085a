/**
 * One file in: staged while it arrives, looked into while the next one arrives; and a whole upload made permanent, or
 * undone. The order holds the promise: bytes first, then the row, then the answer.
 */
import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { DamagedImage, EmptyFile, NotAnImage, TooManyPixels } from '../errors.ts';
import { foldCase } from '../fold.ts';
import type { Staged, Storage } from '../storage/storage.ts';
import type { Decoded, DecodeFailure, DecoderPool } from './decoder/pool.ts';
import { cleanFilename } from './filename.ts';
import { allKeys, originalKey, screenKey, thumbnailKey } from './keys.ts';
import { newLinkKey } from './link-paths.ts';
import { findingsOf } from './rebuild-renditions.ts';
import type { LateUndo } from './undo.ts';

type Parts = {
  storage: Storage;
  decoder: DecoderPool;
  insertImages: (rows: NewImageRow[]) => Promise<ImageRow[]>;
  /** Whether an error of the insert leaves open if it was done. */
  isUndecided: (error: unknown) => boolean;
  lateUndo: LateUndo;
};

/** A file that was received and found good. */
export type Accepted = { staged: Staged; filename: string; image: Decoded };

export type Ingest = ReturnType<typeof createIngest>;

const refusals: Record<DecodeFailure['code'], (detail: string) => Error> = {
  EMPTY_FILE: () => new EmptyFile(),
  NOT_AN_IMAGE: () => new NotAnImage(),
  TOO_MANY_PIXELS: (detail) => new TooManyPixels(detail),
  DAMAGED_IMAGE: (detail) => new DamagedImage(detail),
};

function rowOf({ staged, filename, image }: Accepted, ownerId: string): NewImageRow {
  const kept = cleanFilename(filename, `image.${image.extension}`);
  return {
    id: uuidv7(),
    ownerId,
    linkKey: newLinkKey(),
    filename: kept,
    searchName: foldCase(kept),
    extension: image.extension,
    contentType: image.contentType,
    size: staged.size,
    sha256: staged.sha256,
    width: image.width,
    height: image.height,
    placeholder: image.placeholder,
    ...findingsOf(image),
  };
}

export function createIngest({ storage, decoder, insertImages, isUndecided, lateUndo }: Parts) {
  async function keepBytes(row: NewImageRow, { staged, image }: Accepted): Promise<void> {
    await storage.write(thumbnailKey(row), image.thumbnail);
    if (image.screen) await storage.write(screenKey(row), image.screen);
    await storage.keep(staged, originalKey(row));
  }

  async function removeBytes(rows: NewImageRow[]): Promise<void> {
    for (const row of rows) {
      for (const key of allKeys({ ...row, hasScreen: true })) await storage.remove(key);
    }
  }

  async function undo(rows: NewImageRow[], error: unknown): Promise<void> {
    const ids = rows.map(({ id }) => id);
    if (isUndecided(error)) lateUndo.add(ids, () => removeBytes(rows));
    else await removeBytes(rows).catch(() => lateUndo.add(ids, () => removeBytes(rows)));
  }

  return {
    /** @throws what the source throws; NoSpace, StorageUnavailable */
    receive: (source: Readable): Promise<Staged> => storage.stage(source),

    discard: (staged: Staged): Promise<void> => storage.discard(staged),

    /** @throws EmptyFile, NotAnImage, DamagedImage, TooManyPixels */
    async inspect(staged: Staged, filename: string, signal?: AbortSignal): Promise<Accepted> {
      const result = await decoder.decode(staged.path, { signal });
      if (!result.ok) throw refusals[result.failure.code](result.failure.detail);
      return { staged, filename, image: result.image };
    },

    /** Makes every file permanent, then the rows in one statement. Where any step fails, nothing of it stays. */
    async keepAll(ownerId: string, files: Accepted[]): Promise<ImageRow[]> {
      const rows: NewImageRow[] = [];
      try {
        for (const file of files) {
          const row = rowOf(file, ownerId);
          rows.push(row);
          await keepBytes(row, file);
        }
        return await insertImages(rows);
      } catch (error) {
        await undo(rows, error);
        throw error;
      }
    },
  };
}
