/** Appends entries to a backup file. Bytes before `from` are never changed. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { sha256Of } from '../../../lib/sha256.ts';
import { BackupError } from '../backup-error.ts';
import { type Manifest, manifestName, objectName, type Part, sealedManifestName, sealName } from '../manifest.ts';
import type { RowSeals } from '../sealed-rows.ts';
import type { HashIndex } from './hash-index.ts';
import { readHeader, sealOf } from './survey.ts';
import { BLOCK, CLOSING, encodeHeader, padded } from './tar-header.ts';

export type Stored = { sha256: string; size: number };

export type ArchiveWriter = {
  /** Bytes of the object if the file holds it. */
  sizeOf(sha256: string): number | undefined;
  /** Stores the bytes under their hash, unless the file already holds them. */
  putObject(source: AsyncIterable<Uint8Array>): Promise<Stored>;
  putBytes(bytes: Uint8Array): Promise<Stored>;
  /** Stores rows or file lists, sealed if the file's rows are sealed. */
  putPart(bytes: Buffer): Promise<Omit<Part, 'lines'>>;
  putEntry(name: string, bytes: Uint8Array): Promise<void>;
  /** Completes the snapshot: syncs its bytes to disk before its manifest, then the manifest. */
  seal(manifest: Manifest): Promise<void>;
  /** Truncates the file to its earlier end. Needs no space. */
  undo(): Promise<void>;
  readonly written: number;
  /** Number of objects stored so far. */
  readonly added: number;
};

type Options = {
  /** Offset of the first new entry. */
  from: number;
  /** Objects that the file holds; new ones are added. */
  held: HashIndex;
  /** Written into every header (tar-header.ts). */
  mark: Buffer;
  /** Seals rows and manifests; if missing, they are plain. */
  seals?: RowSeals | undefined;
};

/** Bytes. Larger than any file: a reader skips everything after such a header and finds no entry in it. */
const UNENDING = 2 ** 50;

export function createArchiveWriter(file: FileHandle, { from, held, mark, seals }: Options): ArchiveWriter {
  const now = new Date();
  let at = from;
  let added = 0;

  async function write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done).catch(refuse);
      done += bytesWritten;
    }
  }

  const fillingOf = (size: number) => Buffer.alloc(padded(size) - size);

  async function putEntry(name: string, bytes: Uint8Array): Promise<void> {
    const { length } = bytes;
    await write(Buffer.concat([encodeHeader({ name, size: length }, now, mark), bytes, fillingOf(length)]), at);
    at += BLOCK + padded(length);
  }

  function note(sha256: string): void {
    held.set(sha256, at + BLOCK);
    added += 1;
  }

  async function putObject(source: AsyncIterable<Uint8Array>): Promise<Stored> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of source) {
      hash.update(chunk);
      // If the process is killed here, tar must not search the user's bytes for headers.
      if (size === 0) await write(encodeHeader({ name: 'unfinished', size: UNENDING }, now), at);
      await write(chunk, at + BLOCK + size);
      size += chunk.length;
    }
    const sha256 = hash.digest('hex');
    // The real header is written last: an object's name is the hash of its bytes.
    if (held.get(sha256) === undefined) {
      note(sha256);
      await write(fillingOf(size), at + BLOCK + size);
      await write(encodeHeader({ name: objectName(sha256), size }, now, mark), at);
      at += BLOCK + padded(size);
    }
    return { sha256, size };
  }

  function sizeOf(sha256: string): number | undefined {
    const body = held.get(sha256);
    const header = body === undefined ? undefined : readHeader(file, body - BLOCK);
    return header?.name === objectName(sha256) ? header.size : undefined;
  }

  async function putBytes(bytes: Uint8Array): Promise<Stored> {
    const sha256 = sha256Of(bytes);
    if (held.get(sha256) === undefined) {
      note(sha256);
      await putEntry(objectName(sha256), bytes);
    }
    return { sha256, size: bytes.length };
  }

  async function putPart(bytes: Buffer): Promise<Omit<Part, 'lines'>> {
    if (!seals) return putBytes(bytes);
    const plain = { sha256: sha256Of(bytes), size: bytes.length };
    const before = seals.before(plain.sha256);
    if (before && sizeOf(before.sha256) === before.size) return { ...plain, sealed: before };
    const { beginning, rest } = seals.part(plain.sha256, bytes);
    return { ...plain, sealed: { beginning, ...(await putBytes(rest)) } };
  }

  return {
    sizeOf,
    putObject,
    putBytes,
    putPart,
    putEntry,
    async seal(manifest) {
      const { time } = manifest;
      const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
      const [name, bytes] = seals ? [sealedManifestName(time), seals.manifest(time, text)] : [manifestName(time), text];
      await file.sync().catch(refuse);
      await putEntry(name, bytes);
      await putEntry(sealName(time), Buffer.from(sealOf(bytes, name)));
      await write(Buffer.alloc(CLOSING), at);
      await file.truncate(at + CLOSING);
      await file.sync().catch(refuse);
    },
    async undo() {
      await file.truncate(from);
      await file.truncate(from + CLOSING);
      await file.sync();
    },
    get written() {
      return at - from;
    },
    get added() {
      return added;
    },
  };
}

function refuse({ code }: NodeJS.ErrnoException): never {
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  const reason = full ? 'There is no space left for the backup' : 'The backup cannot be written';
  throw new BackupError(`${reason} (${code}). What the file held before is untouched.`);
}
