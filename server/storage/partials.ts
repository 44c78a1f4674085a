/**
 * Files that come in pieces, over several calls and several lives of the server: each grows under its own id, in a folder
 * of the staging that belongs to no process, until it is taken whole or dropped.
 */

import { type FileHandle, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { validate as isUuid } from 'uuid';
import { makeFolder, syncFolder } from './durable.ts';
import { nothingThere } from './failures.ts';

/** One of them, open for writing. */
export type PartialFile = {
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** What was written is there after a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

/** Every method throws as those of the storage do. */
export type Partials = {
  /** Makes it where it is not there yet. */
  open(id: string): Promise<PartialFile>;
  /** Bytes; 0 where there is none. */
  size(id: string): Promise<number>;
  read(id: string): Promise<Readable>;
  /** Does nothing where there is none. */
  remove(id: string): Promise<void>;
  /** All that there are. */
  ids(): Promise<string[]>;
  /** Bytes that the disk has left. */
  room(): Promise<number>;
};

const nameForm = /^([\da-f-]{36})\.part$/;

async function writeWhole(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** @param ensureOurs asked before a file is opened, removed or said to be absent: throws where the storage is not the one that belongs to this installation */
export function createPartials(staging: string, ensureOurs: () => Promise<void>): Partials {
  const folder = join(staging, 'partial');
  const pathOf = (id: string) => {
    if (!isUuid(id)) throw new TypeError(`${JSON.stringify(id)} is no id of an upload`);
    return join(folder, `${id}.part`);
  };

  async function openFile(id: string): Promise<FileHandle> {
    const path = pathOf(id);
    const present = await open(path, 'r+').catch(nothingThere);
    if (present) return present;
    await makeFolder(folder);
    const made = await open(path, 'a', 0o600);
    await made.close();
    await syncFolder(folder);
    return open(path, 'r+');
  }

  /** Nothing is there: said only of the storage that is ours. */
  async function nothingHere(error: NodeJS.ErrnoException): Promise<undefined> {
    nothingThere(error);
    await ensureOurs();
  }

  return {
    async open(id) {
      await ensureOurs();
      const file = await openFile(id);
      return {
        write: (bytes, at) => writeWhole(file, bytes, at),
        sync: () => file.datasync(),
        close: () => file.close(),
      };
    },
    size: async (id) => (await stat(pathOf(id)).catch(nothingHere))?.size ?? 0,
    read: async (id) => (await open(pathOf(id), 'r')).createReadStream({ highWaterMark: 2 ** 18 }),
    async remove(id) {
      await ensureOurs();
      await rm(pathOf(id), { force: true });
    },
    async ids() {
      const names = (await readdir(folder).catch(nothingThere)) ?? [];
      return names.flatMap((name) => nameForm.exec(name)?.[1] ?? []).filter(isUuid);
    },
    async room() {
      const { bavail, bsize } = await statfs(staging);
      return bavail * bsize;
    },
  };
}
