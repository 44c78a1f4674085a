import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { NoSpace, StorageUnavailable } from '../errors.ts';
import type { ByteRange, Staged, Storage, Stored } from './storage.ts';

const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT']);
/** Milliseconds: longer than any upload may take (server-options.ts), so that no living process loses a staged file. */
const longestUpload = 3 * 3_600_000;

/** Bytes read from disk at once: larger chunks cost less, and every reader holds one. */
const readChunk = 2 ** 18;

/** A failure of the disk as one of the product's errors; any other error stays what it is. */
function asStorageError(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code && noSpaceCodes.has(code)) return Object.assign(new NoSpace(), { cause: error });
  if (code && syscall) return Object.assign(new StorageUnavailable(), { cause: error });
  return error;
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}

function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file system journals names by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Writes chunk by chunk as they come, the next one asked for when the last one is written. */
async function writeMeasured(source: Readable, file: FileHandle): Promise<Omit<Staged, 'path'>> {
  const hash = createHash('sha256');
  let size = 0;
  async function* measured() {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  await writeFile(file, measured());
  return { size, sha256: hash.digest('hex') };
}

/** Removes what an earlier process left in the staging folder. Another living process's files are young. */
async function sweepStaging(folder: string, olderThan: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info && info.mtimeMs <= Date.now() - olderThan) await rm(path, { force: true });
  }
}

/**
 * Bytes under one folder of this machine: `staging/` beside the permanent keys, on the same file system.
 *
 * @param options.alone whether no other process can be writing here, so that everything staged is left over
 */
export async function openDiskStorage(root: string, options: { alone: boolean }): Promise<Storage> {
  const staging = join(root, 'staging');
  await guarded(async () => {
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await sweepStaging(staging, options.alone ? 0 : longestUpload);
  });
  const pathOf = (key: string) => join(root, key);
  const knownFolders = new Set<string>();

  async function ensureFolder(folder: string): Promise<void> {
    if (knownFolders.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(dirname(folder));
    await syncFolder(dirname(dirname(folder)));
    knownFolders.add(folder);
  }

  async function stage(source: Readable): Promise<Staged> {
    const path = join(staging, `${randomUUID()}.part`);
    // The source is consumed below even when opening fails, so that its owner never waits for a reader.
    const file = await open(path, 'wx', 0o600).catch((error) => {
      source.resume();
      throw error;
    });
    try {
      const measured = await writeMeasured(source, file);
      await file.sync();
      return { path, ...measured };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  async function keep(staged: Staged, key: string): Promise<void> {
    const path = pathOf(key);
    await ensureFolder(dirname(path));
    await rename(staged.path, path);
    await syncFolder(dirname(path));
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(staging, `${randomUUID()}.part`);
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
      await keep({ path, size: bytes.length, sha256: '' }, key);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(pathOf(key), 'r').catch(nothingThere);
    return file?.createReadStream({ ...range, highWaterMark: readChunk });
  }

  async function size(key: string): Promise<number | undefined> {
    const info = await stat(pathOf(key)).catch(nothingThere);
    return info?.size;
  }

  /** Any write makes a new file or sets these times; what a disk loses by itself shows in none of them. */
  async function statOf(key: string): Promise<Stored | undefined> {
    const info = await stat(pathOf(key)).catch(nothingThere);
    return info && { size: info.size, version: [info.ino, info.size, info.mtimeMs, info.ctimeMs].join('-') };
  }

  async function answers(): Promise<boolean> {
    const path = join(staging, `${randomUUID()}.probe`);
    try {
      const file = await open(path, 'wx', 0o600);
      await file.write('.').finally(() => file.close());
      return true;
    } catch {
      return false;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  return {
    stage: (source) => guarded(() => stage(source)),
    discard: (staged) => guarded(() => rm(staged.path, { force: true })),
    keep: (staged, key) => guarded(() => keep(staged, key)),
    write: (key, bytes) => guarded(() => write(key, bytes)),
    read: (key, range) => guarded(() => read(key, range)),
    size: (key) => guarded(() => size(key)),
    stat: (key) => guarded(() => statOf(key)),
    localPath: pathOf,
    remove: (key) => guarded(() => rm(pathOf(key), { force: true })),
    answers,
    sweep: () => guarded(() => sweepStaging(staging, longestUpload)),
  };
}
