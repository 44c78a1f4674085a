import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** @returns every file below a data folder's `files/`, save its mark, as paths relative to it, sorted */
export async function storedFiles(dataDir: string): Promise<string[]> {
  const root = join(dataDir, 'files');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => path !== 'installation')
    .sort();
}
