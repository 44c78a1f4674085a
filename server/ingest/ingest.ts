/** Stores a whole upload or nothing. No row lacks its bytes: orphaned-blob rows, then bytes, image rows and the response. */
import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import type { Decoded, DecodeFailure } from '../decoder/pool/pool.ts';
import { DamagedImage, EmptyFile, NotAnImage, TooManyPixels, TooMuchMemory } from '../errors.ts';
import type { Content } from '../images/content/content.ts';
import { cleanFilename, filenameOfTitle } from '../images/filename.ts';
import { contentIdOf, originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import { newLinkKey } from '../images/links/link-paths.ts';
import type { OrphanedBlobs } from '../images/orphaned-blobs/orphaned-blobs.ts';
import type { Quota } from '../images/quota.ts';
import { searchNameOf } from '../images/search-name.ts';
import { type Stored, Undecided } from '../images/transactions.ts';
import { findingsOf } from '../renditions/rebuild-renditions.ts';
import { type Staged, type Storage, seals } from '../storage/storage.ts';
import type { Deduplication, Known, Sender } from './deduplication.ts';
import {
  type Alongside,
  type Inserted,
  insertImages,
  insertOrphaned,
  type NewImage,
  type UnknownBytes,
  type Within,
} from './insertion-queries.ts';

/** Measures the stages of uploads and counts their outcomes. `judge` is the deduplication, with its wait for a decoder. */
export type IngestMeter = {
  measure<T>(stage: 'receive' | 'judge' | 'keep' | 'insert', work: () => Promise<T>): Promise<T>;
  onStored(images: number): void;
  onRefused(code: DecodeFailure['code']): void;
};

const unmeasured: IngestMeter = {
  measure: (_stage, work) => work(),
  onStored: () => undefined,
  onRefused: () => undefined,
};

type IngestParts = {
  db: Database;
  /** This process's number, which owns the bytes until their rows are inserted. */
  process: bigint;
  quota: Quota;
  storage: Pick<Storage, 'stage' | 'discard' | 'commit' | 'write' | 'sealing'>;
  deduplication: Deduplication;
  orphanedBlobs: OrphanedBlobs;
  onStored?: (images: ImageRow[]) => void;
  meter?: IngestMeter | undefined;
};

export type Accepted = { staged: Staged; filename: string; known: Known; uploadKey?: string | undefined };

/** `rows` are those of the stored files. */
type Kept = {
  stored: ImageRow[];
  refused: { file: Accepted; error: Error }[];
  rows: Map<Accepted, ImageRow>;
};

export type Keeping = {
  /** Milliseconds that the images exist; undefined for ever. */
  lifetime?: number | undefined;
  /** The hash of a new image's delete key, if the images get delete links. */
  deleteHashOf?: ((imageId: string) => string) | undefined;
  /** Replaces the filenames that were sent; without an extension. */
  title?: string | undefined;
  description?: string | undefined;
  /** One file that cannot be stored refuses all. */
  allOrNone?: boolean | undefined;
  within?: Within | undefined;
  alongside?: Alongside | undefined;
};

type Keeper = Pick<Sender, 'ownerId' | 'client'>;

export type Ingest = ReturnType<typeof createIngest>;

const refusals: Record<DecodeFailure['code'], (detail: string) => Error> = {
  EMPTY_FILE: () => new EmptyFile(),
  NOT_AN_IMAGE: () => new NotAnImage(),
  TOO_MANY_PIXELS: (detail) => new TooManyPixels(detail),
  DAMAGED_IMAGE: (detail) => new DamagedImage(detail),
  TOO_MUCH_MEMORY: (detail) => new TooMuchMemory(detail),
};

const refusalOf = ({ code, detail }: DecodeFailure): Error => refusals[code](detail);

function newImage({ staged, filename, known, uploadKey }: Accepted, keeping: Keeping): NewImage {
  const { lifetime, deleteHashOf, title, description = '' } = keeping;
  const id = uuidv7();
  const named = title === undefined ? filename : filenameOfTitle(title, known.extension);
  const kept = cleanFilename(named, `image.${known.extension}`);
  const { sha256, size } = staged;
  return {
    id,
    linkKey: newLinkKey(),
    uploadKey: uploadKey ?? null,
    filename: kept,
    description,
    searchName: searchNameOf({ filename: kept, description }),
    sha256,
    size,
    expiresAt: lifetime === undefined ? null : new Date(Date.now() + lifetime),
    deleteHash: deleteHashOf?.(id) ?? null,
  };
}

/** Distinct bytes of an upload; several of its files may have them. */
type Bytes = Known & {
  /** The id of the first image with these bytes, used as content id if this upload writes them. */
  id: string;
  staged: Staged;
  /** Set once the bytes are written. */
  own?: Content;
  failure?: DecodeFailure;
};

const contentOf = ({ id, staged: { size, sha256 } }: Bytes, image: Decoded, sealed: boolean): Content => ({
  contentId: id,
  extension: image.extension,
  contentType: image.contentType,
  size,
  sha256,
  width: image.width,
  height: image.height,
  placeholder: image.placeholder,
  // Clears the renditions of a damaged content that this one replaces.
  thumbnailAvifSha256: null,
  screenAvifSha256: null,
  renditionsDue: true,
  sealed,
  renditionsSealed: sealed,
  ...findingsOf(image),
});

function bytesOf(files: Map<NewImage, Accepted>): Map<string, Bytes> {
  const bytes = new Map<string, Bytes>();
  for (const [{ id, sha256 }, { staged, known }] of files) {
    if (bytes.has(sha256)) continue;
    // Copies, because concurrent uploads share `known`.
    bytes.set(sha256, { ...known, verified: new Set(known.verified), corrupt: new Set(known.corrupt), id, staged });
  }
  return bytes;
}

type Batch = {
  sender: Keeper;
  images: NewImage[];
  all: Map<string, Bytes>;
  keeping: Pick<Keeping, 'allOrNone' | 'within' | 'alongside'>;
};

/** Waits for all, because bytes still being written cannot be removed. @throws the first failure */
async function allDone(works: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/** Writes decoded bytes into the storage, after their rows of orphaned blobs. */
function createContentWriter({ db, process, storage, meter = unmeasured }: IngestParts) {
  async function write({ staged }: Bytes, image: Decoded, content: Content): Promise<void> {
    const named = { id: content.contentId, extension: content.extension };
    const { screen } = image;
    await allDone([
      meter.measure('keep', () => storage.write(thumbnailKey(named), image.thumbnail)),
      ...(screen ? [meter.measure('keep', () => storage.write(screenKey(named), screen))] : []),
      meter.measure('keep', () => storage.commit(staged, originalKey(named))),
    ]);
  }

  /** @param written gets each content before its bytes are written */
  return async function writeAll(all: Iterable<Bytes>, written: Stored[]): Promise<void> {
    const due = [...all].flatMap((bytes) =>
      bytes.image && !bytes.own
        ? [{ bytes, image: bytes.image, content: contentOf(bytes, bytes.image, seals(storage)) }]
        : [],
    );
    if (due.length === 0) return;
    const orphaned = due.map(({ content: { contentId, extension } }) => ({ id: contentId, extension }));
    written.push(...orphaned);
    await insertOrphaned(db, orphaned, process);
    for (const { bytes, image, content } of due) {
      await write(bytes, image, content);
      bytes.own = content;
    }
  };
}

/** @returns a function that inserts an upload. If a step fails, its bytes are removed now or by the sweep */
function createRowInserter(parts: IngestParts) {
  const { db, process, quota, deduplication, orphanedBlobs, onStored, meter = unmeasured } = parts;
  const writeAll = createContentWriter(parts);

  /** Verifies an image with these bytes that appeared meanwhile, or decodes the bytes if there is none. */
  async function deduplicateAgain({ client }: Keeper, bytes: Bytes, { alike }: UnknownBytes): Promise<void> {
    if (alike) {
      await deduplication.note(bytes, alike);
      return;
    }
    const decoded = await deduplication.decode(client, bytes.staged);
    if (decoded.ok) bytes.image = decoded.image;
    else bytes.failure = decoded.failure;
  }

  /** Writes all bytes, then the rows. Repeats when the transaction detects concurrent changes. */
  async function insert({ sender, images, all, keeping }: Batch, written: Stored[]): Promise<Inserted> {
    const { allOrNone, within, alongside } = keeping;
    for (;;) {
      await writeAll(all.values(), written);
      const good = images.filter(({ sha256 }) => !all.get(sha256)?.failure);
      const wanted = allOrNone && good.length < images.length ? [] : good;
      const checks = { quota, allOrNone, within, alongside };
      const { ownerId, client } = sender;
      const linkId = client.account === ownerId ? undefined : client.account;
      const upload = { ownerId, linkId, images: wanted, deduplicated: all, process, ...checks };
      const outcome = await meter.measure('insert', () => insertImages(db, upload));
      if (!('unknownBytes' in outcome)) return outcome;
      for (const unknownBytes of outcome.unknownBytes) {
        const bytes = all.get(unknownBytes.sha256);
        if (bytes) await deduplicateAgain(sender, bytes, unknownBytes);
      }
    }
  }

  return async function insertRows(batch: Batch): Promise<Inserted> {
    const written: Stored[] = [];
    try {
      const { stored, released, refusals } = await insert(batch, written);
      meter.onStored(stored.length);
      onStored?.(stored);
      const named = new Set(stored.map(contentIdOf));
      const unnamed = written.filter(({ id }) => !named.has(id));
      return { stored, released: [...released, ...unnamed], refusals };
    } catch (error) {
      if (error instanceof Undecided) orphanedBlobs.release([...written, ...error.released]);
      else await orphanedBlobs.remove(written);
      throw error;
    }
  };
}

export function createIngest(parts: IngestParts) {
  const { storage, deduplication, orphanedBlobs, meter = unmeasured } = parts;
  const insertRows = createRowInserter(parts);

  return {
    /** @throws errors of the source; NoSpace, StorageUnavailable */
    receive: (source: Readable): Promise<Staged> => meter.measure('receive', () => storage.stage(source)),

    discard: (staged: Staged): Promise<void> => storage.discard(staged),

    /** @throws EmptyFile, NotAnImage, DamagedImage, TooManyPixels, TooMuchMemory */
    async inspect(staged: Staged, filename: string, sender: Sender): Promise<Accepted> {
      const outcome = await meter.measure('judge', () => deduplication.find(sender, staged));
      if (outcome.ok) return { staged, filename, known: outcome.known };
      meter.onRefused(outcome.failure.code);
      throw refusalOf(outcome.failure);
    },

    /** @returns stored and refused files, both in the given order */
    async keepAll(sender: Keeper, files: Accepted[], keeping: Keeping = {}): Promise<Kept> {
      const byImage = new Map(files.map((file) => [newImage(file, keeping), file]));
      const all = bytesOf(byImage);
      const { stored, released, refusals } = await insertRows({
        sender,
        images: [...byImage.keys()],
        all,
        keeping,
      });
      if (released.length > 0) await orphanedBlobs.remove(released);
      const rows = rowsOf(byImage, stored);
      // One file that cannot be decoded may refuse all.
      const [first] = [...all.values()].flatMap(({ failure }) => failure ?? []);
      const refused = [...byImage].flatMap(([{ id, sha256 }, file]) => {
        const failure = all.get(sha256)?.failure ?? first;
        const error = refusals.get(id) ?? (failure && refusalOf(failure));
        if (rows.has(file)) return [];
        if (!error) throw new Error('a file was neither stored nor refused');
        return [{ file, error }];
      });
      return { stored, refused, rows };
    },
  };
}

/** Each file's row: the new one, or the one that an earlier request stored under the same upload key. */
function rowsOf(files: Map<NewImage, Accepted>, stored: ImageRow[]): Map<Accepted, ImageRow> {
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byKey = new Map(stored.map((row) => [row.uploadKey, row]));
  const rows = new Map<Accepted, ImageRow>();
  for (const [{ id, uploadKey, sha256 }, file] of files) {
    const present = uploadKey ? byKey.get(uploadKey) : undefined;
    const row = byId.get(id) ?? (present?.sha256 === sha256 ? present : undefined);
    if (row) rows.set(file, row);
  }
  return rows;
}
