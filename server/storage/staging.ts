import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './durable.ts';
import { nothingThere } from './failures.ts';

/** A process's staging folder; one per process, so that stale staging files can be recognised. */
export function stagedBy(root: string, process: bigint): string {
  return join(root, 'staging', String(process));
}

/** Milliseconds: longer than any upload may take (server-options.ts). */
const longestUpload = 3 * 3_600_000;

async function openNew(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Another process considered this one dead and swept its folder.
    await makeFolder(folder);
    return open(path, 'wx', 0o600);
  }
}

export type Staging = ReturnType<typeof createStaging>;

/** @param assertOwned called before each change; throws unless the folder belongs to this installation */
export function createStaging(root: string, process: bigint, assertOwned = async () => {}) {
  const folder = join(root, 'staging');
  const own = stagedBy(root, process);

  const inUse = new Set<string>();

  /** Creates an empty file, in use until it is dropped or moved. */
  async function create(): Promise<{ path: string; file: FileHandle }> {
    await assertOwned();
    const path = join(own, `${randomUUID()}.part`);
    inUse.add(path);
    try {
      return { path, file: await openNew(own, path) };
    } catch (error) {
      inUse.delete(path);
      throw error;
    }
  }

  /** Removes the file unless it was moved or dropped; if that fails, the sweep will. */
  async function drop(path: string): Promise<void> {
    if (inUse.delete(path)) await unlink(path).catch(nothingThere);
  }

  return {
    create,
    drop,

    /** The root must exist. */
    async open(): Promise<void> {
      await makeFolder(folder);
      await makeFolder(own);
    },

    isInUse: (path: string): boolean => inUse.has(path),

    moved(path: string): void {
      inUse.delete(path);
    },

    async isWritable(): Promise<boolean> {
      let path: string | undefined;
      try {
        const probe = await create();
        path = probe.path;
        await probe.file.write('.').finally(() => probe.file.close());
        return true;
      } catch {
        return false;
      } finally {
        if (path) await drop(path).catch(() => undefined);
      }
    },

    /** Removes stale staging files: of dead processes, of this one if unused, and old ones of earlier versions. */
    async sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void> {
      await assertOwned();
      for (const name of (await readdir(own).catch(nothingThere)) ?? []) {
        const path = join(own, name);
        // The decoder's input briefly has such a name (decoder/pool/slot.ts).
        if (!inUse.has(path) && !name.startsWith('.')) await rm(path, { force: true });
      }
      await sweepOthers(folder, isAlive);
    },

    close: () => rm(own, { recursive: true, force: true }),
  };
}

/** Removes the folders of dead processes, and old files of earlier versions. */
async function sweepOthers(folder: string, isAlive: (process: bigint) => Promise<boolean>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isNumber = /^\d{1,19}$/.test(entry.name);
      if (isNumber && !(await isAlive(BigInt(entry.name)))) await rm(path, { recursive: true, force: true });
    } else {
      const info = await stat(path).catch(() => undefined);
      if (info && info.mtimeMs <= Date.now() - longestUpload) await rm(path, { force: true });
    }
  }
}
