import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { collections, type Listed } from './object-store.ts';

export type { Listed };

type Options = {
  below?: string;
  unreadable?: ((key: string, code: string) => void) | undefined;
};

/** Created by ext file systems for their repairs; readable only by root. */
const OF_THE_DISK = 'lost+found';
/** Deeper than any key: deeper folders are symlink loops. */
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

/** Lists every file below a folder, one folder at a time; nothing if it does not exist. Follows symlinks to folders. */
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

/** Lists every file in the collections and at the storage's root; skips other folders. */
export async function* listStorage(root: string, options: Pick<Options, 'unreadable'> = {}): AsyncGenerator<Listed> {
  for await (const { name } of entriesOf(root, '.', options)) {
    const info = await stat(join(root, name)).catch(() => undefined);
    if (info && !info.isDirectory()) yield { key: name, size: info.size, modified: info.mtime };
  }
  for (const name of collections) yield* listFiles(join(root, name), { ...options, below: name });
}
