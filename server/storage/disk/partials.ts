/** Uploads in pieces, each one file in a folder of the staging that belongs to no process. */
import { type FileHandle, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { validate as isUuid } from 'uuid';
import { makeFolder, syncFolder } from '../durable.ts';
import { guarded, nothingThere } from '../failures.ts';
import type { PartialFile, Partials } from '../partials.ts';

const nameForm = /^([\da-f-]{36})\.part$/;

async function writeWhole(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** @param ensureOurs asked before a file is opened, removed or said to be absent: throws where the storage is not the one that belongs to this installation */
export function createDiskPartials(staging: string, ensureOurs: () => Promise<void>): Partials {
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

  async function openPartial(id: string): Promise<PartialFile> {
    await ensureOurs();
    const file = await openFile(id);
    return {
      write: (bytes, at) => guarded(() => writeWhole(file, bytes, at)),
      sync: () => guarded(() => file.datasync()),
      close: () => guarded(() => file.close()),
    };
  }

  async function remove(id: string): Promise<void> {
    await ensureOurs();
    await rm(pathOf(id), { force: true });
  }

  async function ids(): Promise<string[]> {
    const names = (await readdir(folder).catch(nothingThere)) ?? [];
    return names.flatMap((name) => nameForm.exec(name)?.[1] ?? []).filter(isUuid);
  }

  async function room(): Promise<number> {
    const { bavail, bsize } = await statfs(staging);
    return bavail * bsize;
  }

  return {
    open: (id) => guarded(() => openPartial(id)),
    size: (id) => guarded(async () => (await stat(pathOf(id)).catch(nothingHere))?.size ?? 0),
    read: (id) => guarded(async () => (await open(pathOf(id), 'r')).createReadStream({ highWaterMark: 2 ** 18 })),
    remove: (id) => guarded(() => remove(id)),
    ids: () => guarded(ids),
    room: () => guarded(room),
  };
}
