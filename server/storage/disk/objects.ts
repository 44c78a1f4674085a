import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { guarded } from '../failures.ts';
import { listFiles } from '../listing.ts';
import { type ByteRange, isKey, type ObjectStore, type OpenFile, type Stored } from '../object-store.ts';
import type { Staging } from '../staging.ts';
import { createObjectWriter } from './object-writer.ts';
import { openForReading, storedAs } from './open-file.ts';
import { ownedFolder } from './owned-folder.ts';

/** Bytes per read: larger chunks cost less per byte, but every reader holds one. */
const readChunk = 2 ** 18;

type Backend = {
  root: string;
  /** On the same file system: committed files are renamed from there. */
  staging: Staging;
  /** Throws unless the folder belongs to this installation. Called before writes: disks may be unmounted. */
  assertOwned: () => Promise<void>;
};

/** `commit` expects a synced file. The collections' folders must exist. */
export function createDiskStore({ root, staging, assertOwned }: Backend): ObjectStore {
  const owned = ownedFolder(root, assertOwned);
  const { pathOf, confirmAbsent } = owned;
  const writer = createObjectWriter(owned, staging);

  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(pathOf(key), 'r').catch(confirmAbsent);
    return file?.createReadStream({ ...range, highWaterMark: readChunk });
  }

  async function openFile(key: string): Promise<OpenFile | undefined> {
    const file = await open(pathOf(key), 'r').catch(confirmAbsent);
    return file && openForReading(file);
  }

  async function statOf(key: string): Promise<Stored | undefined> {
    const info = await stat(pathOf(key)).catch(confirmAbsent);
    return info && storedAs(info);
  }

  return {
    commit: ({ path }, key) => guarded(() => writer.commit(path, key)),
    write: (key, bytes) => guarded(() => writer.write(key, bytes)),
    read: (key, range) => guarded(() => read(key, range)),
    open: (key) => guarded(() => openFile(key)),
    stat: (key) => guarded(() => statOf(key)),
    remove: (key) => guarded(() => writer.remove(key)),
    async *list(collection, folder) {
      await guarded(assertOwned);
      const below = folder === undefined ? collection : `${collection}/${folder}`;
      const files = listFiles(join(root, below), { below });
      for (;;) {
        const { done, value } = await guarded(() => files.next());
        if (done) return;
        if (isKey(value.key)) yield value;
      }
    },
    isHealthy: () =>
      assertOwned().then(
        () => true,
        () => false,
      ),
    localPath: pathOf,
    patch: (key) => guarded(() => writer.patch(key)),
    close: async () => {},
  };
}
