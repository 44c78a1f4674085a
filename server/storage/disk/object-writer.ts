import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder, writeWholeAt } from '../durable.ts';
import { guarded, nothingThere } from '../failures.ts';
import type { PatchFile } from '../object-store.ts';
import type { Staging } from '../staging.ts';
import { openForReading } from './open-file.ts';
import type { OwnedFolder } from './owned-folder.ts';

/** Writes and removes objects. `commit` expects a synced file. */
export function createObjectWriter({ pathOf, assertOwned, confirmAbsent }: OwnedFolder, staging: Staging) {
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

  async function openToPatch(key: string): Promise<PatchFile | undefined> {
    await assertOwned();
    const file = await open(pathOf(key), 'r+').catch(confirmAbsent);
    if (!file) return undefined;
    const { size, read, close } = await openForReading(file);
    const write = async (bytes: Uint8Array, at: number) => {
      await writeWholeAt(file, bytes, at);
      await file.datasync();
    };
    return { size, read, close, write: (bytes, at) => guarded(() => write(bytes, at)) };
  }

  async function remove(key: string): Promise<void> {
    await assertOwned();
    await rm(pathOf(key), { force: true });
    // A repeated remove() may follow one that failed before its sync, so the folder is always synced.
    await syncFolder(dirname(pathOf(key))).catch(nothingThere);
  }

  return { commit, write, remove, patch: openToPatch };
}
