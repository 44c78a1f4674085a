import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { writeMeasured } from './durable.ts';
import { guarded } from './failures.ts';
import type { ObjectStore } from './object-store.ts';
import type { Partials } from './partials.ts';
import { isDamage } from './sealed/damage.ts';
import type { Staging } from './staging.ts';
import type { LocalFile, Staged, Storage } from './storage.ts';

type Parts = {
  staging: Staging;
  objects: ObjectStore;
  partials: Partials;
  /** Whether `objects` keeps the staged file itself, so that it has to be synced first. */
  keepsStaged: boolean;
};

/** Streams that gather a megabyte for each write; more at a time would need too much memory. */
const maxGathering = 16;

function createWriter() {
  let gathering = 0;
  return async function write(source: Readable, file: FileHandle) {
    if (gathering >= maxGathering) return writeMeasured(source, file);
    gathering += 1;
    return writeMeasured(source, file, 2 ** 20).finally(() => {
      gathering -= 1;
    });
  };
}

export function createStorage({ staging, objects, partials, keepsStaged }: Parts): Storage {
  /** The sync of each staged file, which runs while the file is decoded. */
  const syncs = new WeakMap<Staged, Promise<void>>();
  const write = createWriter();

  async function stage(source: Readable): Promise<Staged> {
    // Consume the source even if opening fails, so that its sender never waits for a reader.
    const { path, file } = await staging.create().catch((error) => {
      source.on('error', () => undefined).resume();
      throw error;
    });
    const measured = await write(source, file).catch(async (error) => {
      await staging.drop(path);
      await file.close();
      throw error;
    });
    const staged = { path, ...measured };
    const synced = (keepsStaged ? file.sync() : Promise.resolve()).finally(() => file.close());
    // commit() reports the error; a discarded file need not be synced.
    synced.catch(() => undefined);
    syncs.set(staged, synced);
    return staged;
  }

  async function commit(staged: Staged, key: string): Promise<void> {
    await syncs.get(staged);
    await objects.commit(staged, key);
    if (staging.isInUse(staged.path)) await staging.drop(staged.path);
  }

  /** Passes a temporary copy; an empty file without a checksum if the object is missing or cannot be unsealed. */
  async function withCopy<T>(key: string, work: (file: LocalFile) => Promise<T>, sealed?: boolean): Promise<T> {
    let source = await objects.read(key, undefined, sealed);
    const staged = await guarded(async () => {
      try {
        return await stage(source ?? Readable.from([]));
      } catch (error) {
        source?.destroy();
        if (!isDamage(error)) throw error;
        source = undefined;
        return stage(Readable.from([]));
      }
    });
    try {
      if (!source) await guarded(() => staging.drop(staged.path));
      return await work({ path: staged.path, sha256: source ? staged.sha256 : '' });
    } finally {
      await staging.drop(staged.path).catch(() => undefined);
    }
  }

  return {
    stage: (source) => guarded(() => stage(source)),
    discard: (staged) => guarded(() => staging.drop(staged.path)),
    commit: (staged, key) => guarded(() => commit(staged, key)),
    write: objects.write,
    read: objects.read,
    open: objects.open,
    stat: objects.stat,
    withLocalFile: async (key, work, sealed) =>
      objects.localPath ? work({ path: objects.localPath(key), sha256: undefined }) : withCopy(key, work, sealed),
    ...(objects.link ? { link: objects.link } : {}),
    remove: objects.remove,
    sweep: (isAlive) => guarded(() => staging.sweep(isAlive)),
    isHealthy: async () => (await objects.isHealthy()) && (await staging.isWritable()),
    sealing: objects.sealing,
    partials,
    close: async () => {
      await guarded(() => staging.close()).finally(() => objects.close());
    },
  };
}
