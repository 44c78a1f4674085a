import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { StorageUnavailable } from '../errors.ts';
import { makeFolder, syncFolder, writeMeasured } from './durable.ts';
import { guarded, nothingThere } from './failures.ts';
import { createMarkWatch } from './mark.ts';
import { openForReading, storedAs } from './open-file.ts';
import { createPartials, type PartialFile } from './partials.ts';
import { createStaging } from './staging.ts';
import {
  type ByteRange,
  collections,
  isKey,
  type OpenFile,
  type Staged,
  type Storage,
  type Stored,
} from './storage.ts';

/** Bytes read from disk at once: larger chunks cost less, and every reader holds one. */
const readChunk = 2 ** 18;

type Owner = {
  /** The id in the storage's mark (mark.ts), which stands there already. */
  installation: string;
  /** This process's number (database/presence.ts). */
  process: bigint;
};

/**
 * Bytes under one folder of this machine: `staging/` beside the permanent keys, on the same file system. Once it is
 * open, no folder is made but in one that belongs to it: nothing is ever written where a disk is missing.
 */
export async function openDiskStorage(root: string, { installation, process }: Owner): Promise<Storage> {
  const staging = createStaging(root, process);
  const partials = createPartials(join(root, 'staging'), () => ensureOurs());
  const isOurs = createMarkWatch(root, installation);
  /** Of each staged file, its being synced, which goes on beside its decoding. */
  const syncs = new WeakMap<Staged, Promise<void>>();
  await guarded(async () => {
    await ensureOurs();
    await staging.open();
    for (const collection of collections) await makeFolder(join(root, collection));
  });
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} is no key of the storage`);
    return join(root, key);
  };
  const knownFolders = new Set<string>();

  /** Asked before each write, since a disk can go and come at any time. */
  async function ensureOurs(): Promise<void> {
    if (await isOurs()) return;
    throw Object.assign(new StorageUnavailable(), {
      cause: new Error(`${root} does not hold this installation's mark`),
    });
  }

  async function stage(source: Readable): Promise<Staged> {
    // The source is consumed below even when opening fails, so that its owner never waits for a reader.
    const { path, file } = await ensureOurs()
      .then(() => staging.create())
      .catch((error) => {
        source.resume();
        throw error;
      });
    const measured = await writeMeasured(source, file).catch(async (error) => {
      await staging.drop(path);
      await file.close();
      throw error;
    });
    const staged = { path, ...measured };
    const synced = file.sync().finally(() => file.close());
    // Told to whoever keeps the file; one that is discarded may as well not be synced.
    synced.catch(() => undefined);
    syncs.set(staged, synced);
    return staged;
  }

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

  async function keep(staged: Staged, key: string): Promise<void> {
    await ensureOurs();
    await syncs.get(staged);
    await moveInto(staged.path, key);
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    await ensureOurs();
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

  /** Nothing is there: said only of the storage that is ours. */
  async function nothingHere(error: NodeJS.ErrnoException): Promise<undefined> {
    nothingThere(error);
    await ensureOurs();
  }

  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(pathOf(key), 'r').catch(nothingHere);
    return file?.createReadStream({ ...range, highWaterMark: readChunk });
  }

  async function openFile(key: string): Promise<OpenFile | undefined> {
    const file = await open(pathOf(key), 'r').catch(nothingHere);
    return file && openForReading(file);
  }

  async function statOf(key: string): Promise<Stored | undefined> {
    const info = await stat(pathOf(key)).catch(nothingHere);
    return info && storedAs(info);
  }

  async function remove(key: string): Promise<void> {
    await ensureOurs();
    await rm(pathOf(key), { force: true });
    // A removal that was cut off before its sync is done again by whoever asks again, so the folder is synced in any case.
    await syncFolder(dirname(pathOf(key))).catch(nothingThere);
  }

  async function answers(): Promise<boolean> {
    let path: string | undefined;
    try {
      await ensureOurs();
      const probe = await staging.create();
      path = probe.path;
      await probe.file.write('.').finally(() => probe.file.close());
      return true;
    } catch {
      return false;
    } finally {
      if (path) await staging.drop(path).catch(() => undefined);
    }
  }

  async function openPartial(id: string): Promise<PartialFile> {
    const file = await partials.open(id);
    return {
      write: (bytes, at) => guarded(() => file.write(bytes, at)),
      sync: () => guarded(() => file.sync()),
      close: () => guarded(() => file.close()),
    };
  }

  return {
    stage: (source) => guarded(() => stage(source)),
    discard: (staged) => guarded(() => staging.drop(staged.path)),
    keep: (staged, key) => guarded(() => keep(staged, key)),
    write: (key, bytes) => guarded(() => write(key, bytes)),
    read: (key, range) => guarded(() => read(key, range)),
    open: (key) => guarded(() => openFile(key)),
    stat: (key) => guarded(() => statOf(key)),
    localPath: pathOf,
    remove: (key) => guarded(() => remove(key)),
    sweep: (isAlive) =>
      guarded(async () => {
        await ensureOurs();
        await staging.sweep(isAlive);
      }),
    answers,
    partials: {
      open: (id) => guarded(() => openPartial(id)),
      size: (id) => guarded(() => partials.size(id)),
      read: (id) => guarded(() => partials.read(id)),
      remove: (id) => guarded(() => partials.remove(id)),
      ids: () => guarded(() => partials.ids()),
      room: () => guarded(() => partials.room()),
    },
    close: () => guarded(() => staging.close()),
  };
}
