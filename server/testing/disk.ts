import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';

/**
 * @returns sorted paths of all files below a data folder's `files/`, without its ownership marker and files that running
 * decoders read
 */
export async function storedFiles(dataDir: string): Promise<string[]> {
  const root = join(dataDir, 'files');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => path !== 'installation' && !/(?:^|\/)\.decoder-[^/]+$/.test(path))
    .sort();
}

/** The keys written before an upload's response; other renditions are made later or on demand. */
export const firstKeys = (image: Parameters<typeof originalKey>[0] & { hasScreen: boolean }): string[] => [
  originalKey(image),
  thumbnailKey(image),
  ...(image.hasScreen ? [screenKey(image)] : []),
];

/** @returns a function that lists, like `storedFiles`, only files added since this call */
export async function watchFiles(dataDir: string): Promise<() => Promise<string[]>> {
  const earlier = new Set(await storedFiles(dataDir));
  return async () => (await storedFiles(dataDir)).filter((path) => !earlier.has(path));
}

/** @returns bytes in the pieces of an upload */
export async function partialBytes(dataDir: string, id: string): Promise<number> {
  const folder = join(dataDir, 'files', 'staging', 'partial', id);
  const sizes = (await readdir(folder).catch(() => [])).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
