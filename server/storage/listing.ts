import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { collections, type Listed } from './object-store.ts';

export type { Listed };

type Options = {
  /** Put before each key. */
  below?: string;
  /** Told each folder that cannot be read, and why; without it that is an error. */
  unreadable?: ((key: string, code: string) => void) | undefined;
};

/** Made by the file system at the root of a disk, for its own repairs; only root may read it. */
const OF_THE_DISK = 'lost+found';
/** More folders in one another than any key has: what goes deeper is a link that leads back. */
const DEEPEST = 8;

async function* entriesOf(folder: string, key: string, { unreadable }: Options): AsyncGenerator<Dirent> {
  try {
    for await (const entry of await opendir(folder)) yield entry;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (!unreadable || code === undefined) throw error;
    unreadable(key, code);
  }
}

/**
 * Every file below a folder, however many: one folder's entries are read at a time. Nothing where there is no folder.
 * Links to folders, as to another disk, are followed.
 */
export async function* listFiles(folder: string, options: Options = {}): AsyncGenerator<Listed> {
  const { below = '' } = options;
  for await (const entry of entriesOf(folder, below || '.', options)) {
    if (entry.name === OF_THE_DISK) continue;
    const path = join(folder, entry.name);
    const key = below === '' ? entry.name : `${below}/${entry.name}`;
    const info = await stat(path).catch(() => undefined);
    if (info?.isDirectory()) {
      if (key.split('/').length < DEEPEST) yield* listFiles(path, { ...options, below: key });
    } else if (info) yield { key, size: info.size, modified: info.mtime };
  }
}

/** Every file that stands under a key or at the storage's root; other folders there are not looked into. */
export async function* listStorage(root: string, options: Pick<Options, 'unreadable'> = {}): AsyncGenerator<Listed> {
  for await (const { name } of entriesOf(root, '.', options)) {
    const info = await stat(join(root, name)).catch(() => undefined);
    if (info && !info.isDirectory()) yield { key: name, size: info.size, modified: info.mtime };
  }
  for (const name of collections) yield* listFiles(join(root, name), { ...options, below: name });
}
