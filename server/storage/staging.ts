/**
 * Files under way: each process has a folder of its own, named by its number, so that what a killed one left can be
 * told from what a living one is receiving.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './durable.ts';
import { nothingThere } from './failures.ts';

/** What a process has staged, under the folder that holds `staging/`. */
export const stagedBy = (root: string, process: bigint) => join(root, 'staging', String(process));

/** Milliseconds: longer than any upload may take (server-options.ts). */
const longestUpload = 3 * 3_600_000;

export type Staging = ReturnType<typeof createStaging>;

/**
 * @param root the folder that holds `staging/`
 * @param assertOwned asked before anything is made or removed there: throws where the folder is not this installation's
 */
export function createStaging(root: string, process: bigint, assertOwned = async () => {}) {
  const folder = join(root, 'staging');
  const own = stagedBy(root, process);

  /** Paths of this process's files that somebody is at. */
  const inHand = new Set<string>();

  async function openNew(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Another process took this one for dead and swept its folder.
      await makeFolder(own);
      return open(path, 'wx', 0o600);
    }
  }

  return {
    /** Makes its folders, in a root that exists. */
    async open(): Promise<void> {
      await makeFolder(folder);
      await makeFolder(own);
    },

    /** A new, empty file, in hand until it is dropped or has been moved. */
    async create(): Promise<{ path: string; file: FileHandle }> {
      await assertOwned();
      const path = join(own, `${randomUUID()}.part`);
      inHand.add(path);
      try {
        return { path, file: await openNew(path) };
      } catch (error) {
        inHand.delete(path);
        throw error;
      }
    },

    /** Whether somebody is at it: it was neither moved nor dropped. */
    holds: (path: string): boolean => inHand.has(path),

    /** It stands elsewhere now. */
    moved(path: string): void {
      inHand.delete(path);
    },

    /** Removes it; where that fails, the sweep does. */
    async drop(path: string): Promise<void> {
      inHand.delete(path);
      await rm(path, { force: true });
    },

    /**
     * Removes the folders of processes that live no more, this one's files that nobody is at, and old files that earlier
     * versions left beside the folders.
     */
    async sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void> {
      await assertOwned();
      for (const name of (await readdir(own).catch(nothingThere)) ?? []) {
        const path = join(own, name);
        // Decoders' input has such a name, for a moment (decoder/pool/slot.ts).
        if (!inHand.has(path) && !name.startsWith('.')) await rm(path, { force: true });
      }
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
