/** Resumable uploads on a disk, in a staging folder shared by all processes: `partial/<upload>/<piece>.part`. */
import { createReadStream } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { validate as isUuid } from 'uuid';
import { guarded, nothingThere } from '../failures.ts';
import { type Counted, type Partials, rangesOf } from '../partials.ts';
import { createPartialFile } from './partial-file.ts';

/** A folder of pieces, or the single file of an earlier version. */
const nameForm = /^([\da-f-]{36})(?:\.part)?$/;

/** @param assertOwned called before a file is opened, removed or reported absent; throws unless the storage is owned */
export function createDiskPartials(staging: string, assertOwned: () => Promise<void>): Partials {
  const folder = join(staging, 'partial');
  const folderOf = (id: string) => {
    if (!isUuid(id)) throw new TypeError(`${JSON.stringify(id)} is no id of an upload`);
    return join(folder, id);
  };
  /** The single file of an earlier version: the upload's bytes before its first piece. */
  const earlierOf = (id: string) => `${folderOf(id)}.part`;

  function filesOf(upload: Counted): { path: string; length: number }[] {
    const ranges = rangesOf(upload);
    const before = ranges[0]?.from ?? upload.received;
    return [
      ...(before > 0 ? [{ path: earlierOf(upload.id), length: before }] : []),
      ...ranges.map(({ piece, length }) => ({ path: join(folderOf(upload.id), `${piece}.part`), length })),
    ];
  }

  async function isThere(upload: Counted): Promise<boolean> {
    for (const { path, length } of filesOf(upload)) {
      const info = await stat(path).catch(nothingThere);
      if (info && info.size >= length) continue;
      // A file is reported absent only if the storage is owned.
      await assertOwned();
      return false;
    }
    return true;
  }

  async function* chunksOf(upload: Counted): AsyncGenerator<Buffer> {
    for (const { path, length } of filesOf(upload)) {
      if (length > 0) yield* createReadStream(path, { end: length - 1, highWaterMark: 2 ** 18 });
    }
  }

  async function remove(id: string): Promise<void> {
    await assertOwned();
    await rm(folderOf(id), { recursive: true, force: true });
    await rm(earlierOf(id), { force: true });
  }

  async function ids(): Promise<Set<string>> {
    const names = (await readdir(folder).catch(nothingThere)) ?? [];
    return new Set(names.flatMap((name) => nameForm.exec(name)?.[1] ?? []).filter((id) => isUuid(id)));
  }

  async function room(): Promise<number> {
    const { bavail, bsize } = await statfs(staging);
    return bavail * bsize;
  }

  return {
    open: (upload) =>
      guarded(async () => {
        await assertOwned();
        return createPartialFile(folder, folderOf(upload.id), upload);
      }),
    isThere: (upload) => guarded(() => isThere(upload)),
    read: async (upload) => Readable.from(chunksOf(upload), { objectMode: false, highWaterMark: 2 ** 18 }),
    remove: (id) => guarded(() => remove(id)),
    ids: () => guarded(ids),
    room: () => guarded(room),
  };
}
