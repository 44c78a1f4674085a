/** Finds the pictures of a folder. Reads names and dates only. */
import { opendir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { reasonOf } from '../files.ts';

export type Found = {
  path: string;
  /** Below the pushed folder, with "/". */
  name: string;
  /** Below the pushed folder, with "/"; empty for the folder itself. */
  folder: string;
  /** Bytes. */
  size: number;
  /** Epoch milliseconds, with fractions. */
  mtime: number;
};

export type Scan = { files: Found[]; others: number; failed: { name: string; reason: string }[] };

/** What the server accepts (NOT_AN_IMAGE in server/errors.ts). */
const extensions = new Set(
  'jpg jpeg jpe jfif png webp gif avif tif tiff svg heic heif'.split(' ').map((name) => `.${name}`),
);

const isPicture = (name: string) => extensions.has(extname(name).toLowerCase());

/** Hidden files and symbolic links are left out: links may lead in circles. */
export async function scan(root: string): Promise<Scan> {
  const found: Scan = { files: [], others: 0, failed: [] };
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    try {
      for await (const entry of await opendir(join(root, folder))) {
        if (entry.name.startsWith('.')) continue;
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(name);
        else if (!entry.isFile() || !isPicture(name)) found.others += 1;
        else await add(found, { root, folder, name });
      }
    } catch (error) {
      found.failed.push({ name: folder || basename(root), reason: reasonOf(error) });
    }
  }
  // Always the same order, so that a repeated run is easy to follow.
  found.files.sort((one, other) => (one.name < other.name ? -1 : 1));
  return found;
}

async function add(found: Scan, { root, folder, name }: { root: string; folder: string; name: string }): Promise<void> {
  const path = join(root, name);
  try {
    const { size, mtimeMs: mtime } = await stat(path);
    found.files.push({ path, name, folder, size, mtime });
  } catch (error) {
    found.failed.push({ name, reason: reasonOf(error) });
  }
}
