import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, syncFolder } from '../durable.ts';
import { guarded, nothingThere } from '../failures.ts';
import { listFiles } from '../listing.ts';
import {
  type ByteRange,
  isKey,
  type ObjectStore,
  type OpenFile,
  type PatchFile,
  type Stored,
} from '../object-store.ts';
import type { Staging } from '../staging.ts';
import { openForReading, storedAs } from './open-file.ts';

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
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} is no key of the storage`);
    return join(root, key);
  };
  const knownFolders = new Set<string>();

  async function moveInto(path: string, key: string): Promise<void> {
    const folder = dirname(pathOf(key));
    if (!knownFolders.has(folder)) await makeFolder(folder);
    try {
      await rename(path, pathOf(key));
      staging.moved(path);
      await syncFolder(folder);
      knownFolders.add(folder);
    } catch (error) {
      knownFolders.delete(folder);
      throw error;
    }
  }

  async function commit(path: string, key: string): Promise<void> {
    await assertOwned();
    await moveInto(path, key);
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const { path, file } = await staging.create();
    try {
      await file.writeFile(bytes);
      await file.sync();
      await moveInto(path, key);
    } catch (error) {
      await staging.drop(path);
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Reports an absent file only if the folder belongs to this installation. */
  async function nothingHere(error: NodeJS.ErrnoException): Promise<undefined> {
    nothingThere(error);
    await assertOwned();
  }

  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(pathOf(key), 'r').catch(nothingHere);
    return file?.createReadStream({ ...range, highWaterMark: readChunk });
  }

  async function openFile(key: string): Promise<OpenFile | undefined> {
    const file = await open(pathOf(key), 'r').catch(nothingHere);
    return file && openForReading(file);
  }

  async function openToPatch(key: string): Promise<PatchFile | undefined> {
    await assertOwned();
    const file = await open(pathOf(key), 'r+').catch(nothingHere);
    if (!file) return undefined;
    const { size, read, close } = await openForReading(file);
    const write = async (bytes: Uint8Array, at: number) => {
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
      }
      await file.datasync();
    };
    return { size, read, close, write: (bytes, at) => guarded(() => write(bytes, at)) };
  }

  async function statOf(key: string): Promise<Stored | undefined> {
    const info = await stat(pathOf(key)).catch(nothingHere);
    return info && storedAs(info);
  }

  async function remove(key: string): Promise<void> {
    await assertOwned();
    await rm(pathOf(key), { force: true });
    // A repeated remove() may follow one that failed before its sync, so the folder is always synced.
    await syncFolder(dirname(pathOf(key))).catch(nothingThere);
  }

  return {
    commit: ({ path }, key) => guarded(() => commit(path, key)),
    write: (key, bytes) => guarded(() => write(key, bytes)),
    read: (key, range) => guarded(() => read(key, range)),
    open: (key) => guarded(() => openFile(key)),
    stat: (key) => guarded(() => statOf(key)),
    remove: (key) => guarded(() => remove(key)),
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
    patch: (key) => guarded(() => openToPatch(key)),
    close: async () => {},
  };
}
