/** Appends tar entries to a file. Bytes before `from` are never changed. */
import type { FileHandle } from 'node:fs/promises';
import { BackupError } from '../backup-error.ts';
import { BLOCK, CLOSING, encodeHeader, padded } from './tar-header.ts';

export type EntryWriter = ReturnType<typeof createEntryWriter>;

/** Bytes. Larger than any file: a reader skips everything after such a header and finds no entry in it. */
const UNENDING = 2 ** 50;

/** @param from offset of the first new entry @param mark is written into every header (tar-header.ts) */
export function createEntryWriter(file: FileHandle, from: number, mark: Buffer) {
  const modified = new Date();
  /** Offset of the next entry. */
  let at = from;

  async function write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done).catch(refuse);
      done += bytesWritten;
    }
  }

  return {
    body: () => at + BLOCK,
    written: () => at - from,

    async put(name: string, bytes: Uint8Array): Promise<void> {
      const { length } = bytes;
      await write(Buffer.concat([encodeHeader({ name, size: length }, modified, mark), bytes, fillingOf(length)]), at);
      at += BLOCK + padded(length);
    },

    /** Writes bytes of an entry before its name is known: an object's is the hash of its bytes. */
    async writeBody(bytes: Uint8Array, offset: number): Promise<void> {
      // If the process is killed here, tar must not search the user's bytes for headers.
      if (offset === 0) await write(encodeHeader({ name: 'unfinished', size: UNENDING }, modified), at);
      await write(bytes, at + BLOCK + offset);
    },

    async complete(name: string, size: number): Promise<void> {
      await write(fillingOf(size), at + BLOCK + size);
      await write(encodeHeader({ name, size }, modified, mark), at);
      at += BLOCK + padded(size);
    },

    sync: () => file.sync().catch(refuse),

    async end(): Promise<void> {
      await write(Buffer.alloc(CLOSING), at);
      await file.truncate(at + CLOSING);
      await file.sync().catch(refuse);
    },

    /** Truncates the file to its earlier end. Needs no space. */
    async undo(): Promise<void> {
      await file.truncate(from);
      await file.truncate(from + CLOSING);
      await file.sync();
    },
  };
}

const fillingOf = (size: number) => Buffer.alloc(padded(size) - size);

function refuse({ code }: NodeJS.ErrnoException): never {
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  const reason = full ? 'There is no space left for the backup' : 'The backup cannot be written';
  throw new BackupError(`${reason} (${code}). What the file held before is untouched.`);
}
