import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** `key` is relative to the folder listed, with slashes. */
export type Listed = { key: string; size: number; modified: Date };

/** Every file below a folder, however many: one folder's entries are read at a time. Nothing where there is no folder. */
export async function* listFiles(folder: string, below = ''): AsyncGenerator<Listed> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    const key = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(path, key);
    else {
      const info = await stat(path).catch(() => undefined);
      if (info) yield { key, size: info.size, modified: info.mtime };
    }
  }
}
