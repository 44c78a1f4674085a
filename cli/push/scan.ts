/** Finds the pictures of a folder. Reads names and dates only. */
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { reasonOf } from '../files.ts';
import { bytesOf, pathOf, readable } from '../paths.ts';

export type Found = {
  /** As in paths.ts. */
  path: string;
  /** Below the pushed folder, with "/", as in paths.ts. */
  below: string;
  /** The same, readable. */
  name: string;
  /** Below the pushed folder, with "/"; empty for the folder itself. */
  folder: string;
  /** Bytes. */
  size: number;
  /** Epoch milliseconds, with fractions. */
  mtime: number;
};

export type Scan = {
  files: Found[];
  others: number;
  /** Hidden files and those of systems. A folder counts once. */
  hidden: number;
  failed: { name: string; reason: string }[];
};

/** What the server accepts (NOT_AN_IMAGE in server/errors.ts). */
const extensions = new Set(
  'jpg jpeg jpe jfif png webp gif avif tif tiff svg heic heif'.split(' ').map((name) => `.${name}`),
);

const isPicture = (name: string) => extensions.has(extname(name).toLowerCase());

/** What macOS, Windows and NAS systems write beside pictures (client/upload/system-files.ts). */
const ofSystems = /^(?:\.|(?:(?:eh)?thumbs\.db|desktop\.ini|__macosx|@eadir|#recycle|\$recycle\.bin|icon\r)$)/i;

/** Hidden files and symbolic links are left out: links may lead in circles. */
export async function scan(root: string): Promise<Scan> {
  const found: Scan = { files: [], others: 0, hidden: 0, failed: [] };
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    try {
      for (const entry of await readdir(bytesOf(join(root, folder)), { withFileTypes: true, encoding: 'buffer' })) {
        const name = pathOf(entry.name);
        const below = folder === '' ? name : `${folder}/${name}`;
        if (ofSystems.test(name)) found.hidden += 1;
        else if (entry.isDirectory()) folders.push(below);
        else if (!entry.isFile() || !isPicture(name)) found.others += 1;
        else await add(found, { root, folder, below });
      }
    } catch (error) {
      found.failed.push({ name: readable(folder || basename(root)), reason: reasonOf(error) });
    }
  }
  // Always the same order, so that a repeated run is easy to follow.
  found.files.sort((one, other) => (one.name < other.name ? -1 : 1));
  return found;
}

type Entry = { root: string; folder: string; below: string };

async function add(found: Scan, { root, folder, below }: Entry): Promise<void> {
  const path = join(root, below);
  const name = readable(below);
  try {
    const { size, mtimeMs: mtime } = await stat(bytesOf(path));
    found.files.push({ path, below, name, folder: readable(folder), size, mtime });
  } catch (error) {
    found.failed.push({ name, reason: reasonOf(error) });
  }
}
