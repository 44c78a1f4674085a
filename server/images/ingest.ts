/**
 * One file in: staged while it arrives, looked into while the next one arrives; and a whole upload made permanent, or
 * undone. The order holds the promise: that there may be loose bytes, the bytes, the rows, the answer.
 */
import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { DamagedImage, EmptyFile, NotAnImage, TooManyPixels } from '../errors.ts';
import { foldCase } from '../fold.ts';
import type { Staged, Storage } from '../storage/storage.ts';
import type { Decoded, DecodeFailure, DecoderPool } from './decoder/pool.ts';
import { cleanFilename } from './filename.ts';
import { originalKey, screenKey, thumbnailKey } from './keys.ts';
import { newLinkKey } from './link-paths.ts';
import type { LooseBytes } from './loose-bytes.ts';
import type { Held } from './quota.ts';
import { findingsOf } from './rebuild-renditions.ts';
import { type Stored, Undecided } from './transactions.ts';

type Parts = {
  storage: Storage;
  decoder: DecoderPool;
  looseBytes: LooseBytes;
  insertLoose: (rows: Stored[]) => Promise<void>;
  /** Those that the owner's quota has room for. @throws Undecided; any other error means that none is stored */
  insertImages: (ownerId: string, rows: Row[]) => Promise<{ stored: ImageRow[]; held: Held }>;
};

type Row = NewImageRow & Stored;

/** A file that was received and found good. */
export type Accepted = { staged: Staged; filename: string; image: Decoded };

/** `refused` had no room in the account, which holds as much as `held` says. */
export type Kept = { stored: ImageRow[]; refused: Accepted[]; held: Held };

export type Ingest = ReturnType<typeof createIngest>;

const refusals: Record<DecodeFailure['code'], (detail: string) => Error> = {
  EMPTY_FILE: () => new EmptyFile(),
  NOT_AN_IMAGE: () => new NotAnImage(),
  TOO_MANY_PIXELS: (detail) => new TooManyPixels(detail),
  DAMAGED_IMAGE: (detail) => new DamagedImage(detail),
};

function rowOf({ staged, filename, image }: Accepted, ownerId: string): Row {
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

/** All have ended when it does: what is still being written cannot be cleared away. @throws the first failure */
async function allDone(works: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

export function createIngest({ storage, decoder, looseBytes, insertLoose, insertImages }: Parts) {
  async function keepBytes(row: Row, { staged, image }: Accepted): Promise<void> {
    const screen = image.screen;
    await allDone([
      storage.write(thumbnailKey(row), image.thumbnail),
      ...(screen ? [storage.write(screenKey(row), screen)] : []),
      storage.keep(staged, originalKey(row)),
    ]);
  }

  /** Every file made permanent, then the rows. Where a step fails, nothing of it stays, or the sweep takes it over. */
  async function keepRows(ownerId: string, files: Map<Row, Accepted>) {
    const rows = [...files.keys()];
    try {
      await insertLoose(rows);
      for (const [row, file] of files) await keepBytes(row, file);
      return await insertImages(ownerId, rows);
    } catch (error) {
      if (error instanceof Undecided) looseBytes.leave(rows);
      else await looseBytes.remove(rows);
      throw error;
    }
  }

  return {
    /** @throws what the source throws; NoSpace, StorageUnavailable */
    receive: (source: Readable): Promise<Staged> => storage.stage(source),

    discard: (staged: Staged): Promise<void> => storage.discard(staged),

    /** @throws EmptyFile, NotAnImage, DamagedImage, TooManyPixels */
    async inspect(staged: Staged, filename: string, owner: string, signal?: AbortSignal): Promise<Accepted> {
      const result = await decoder.decode(staged.path, { signal, owner });
      if (!result.ok) throw refusals[result.failure.code](result.failure.detail);
      return { staged, filename, image: result.image };
    },

    /** @returns what was stored and what had no room, both in the order given */
    async keepAll(ownerId: string, files: Accepted[]): Promise<Kept> {
      const byRow = new Map(files.map((file) => [rowOf(file, ownerId), file]));
      const { stored, held } = await keepRows(ownerId, byRow);
      const ids = new Set(stored.map(({ id }) => id));
      const refused = [...byRow].filter(([{ id }]) => !ids.has(id));
      if (refused.length > 0) await looseBytes.remove(refused.map(([row]) => row));
      return { stored, refused: refused.map(([, file]) => file), held };
    },
  };
}
