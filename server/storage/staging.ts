/**
 * Files under way: each process has a folder of its own, named by its number, so that what a killed one left can be
 * told from what a living one is receiving.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './durable.ts';

/** Milliseconds: longer than any upload may take (server-options.ts). */
const longestUpload = 3 * 3_600_000;

export type Staging = ReturnType<typeof createStaging>;

export function createStaging(root: string, process: bigint) {
  const folder = join(root, 'staging');
  const own = join(folder, String(process));

  return {
    /** Makes its folders, in a root that exists. */
    async open(): Promise<void> {
      await makeFolder(folder);
      await makeFolder(own);
    },

    /** A new, empty file. Its folder is made again where another process took this one for dead and swept it. */
    async create(extension = 'part'): Promise<{ path: string; file: FileHandle }> {
      const path = join(own, `${randomUUID()}.${extension}`);
      try {
        return { path, file: await open(path, 'wx', 0o600) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await makeFolder(own);
        return { path, file: await open(path, 'wx', 0o600) };
      }
    },

    /** Removes the folders of processes that live no more, and old files that earlier versions left beside them. */
    async sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void> {
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
    },

    close: () => rm(own, { recursive: true, force: true }),
  };
}
