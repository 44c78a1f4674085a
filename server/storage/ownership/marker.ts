/**
 * The storage's mark: a file with the id of the installation it belongs to. By it a server tells its storage from
 * another's and from the empty folder where a disk should be mounted.
 */

import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { validate as isUuid } from 'uuid';
import { syncFolder } from '../durable.ts';
import { nothingThere } from '../failures.ts';

export const markerPath = (root: string) => join(root, 'installation');

/** @returns the id; a text that is none for a file of another form; undefined where there is no such file */
export async function readMarker(root: string): Promise<string | undefined> {
  const text = await readFile(markerPath(root), 'utf8').catch(nothingThere);
  return text?.slice(0, 100).trim();
}

/**
 * Whether the mark is one's own, asked before each write: one call that finds the file to be the one that was read last,
 * by all that changes when another is put there or the disk below it is another.
 */
export function watchMarker(root: string, installation: string): () => Promise<boolean> {
  let seen = '';
  return async () => {
    const info = await stat(markerPath(root), { bigint: true }).catch(nothingThere);
    if (!info) return false;
    const version = [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join('-');
    if (version === seen) return true;
    if ((await readMarker(root)) !== installation) return false;
    seen = version;
    return true;
  };
}

export const isId = isUuid;

/**
 * Writes a line into a file, durably: whole or not at all.
 * @param place how a whole file gets its name: over what stands there, or not
 */
export async function putMarker(
  path: string,
  text: string,
  place: (aside: string, path: string) => Promise<void>,
): Promise<void> {
  const aside = join(dirname(path), `${randomUUID()}.mark`);
  try {
    const file = await open(aside, 'wx', 0o600);
    await file
      .writeFile(`${text}\n`)
      .then(() => file.sync())
      .finally(() => file.close());
    await place(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
  await syncFolder(dirname(path));
}

/** Never over one that is there; file systems without links know only the other way. */
const placeFirst = (aside: string, path: string) =>
  link(aside, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') await rename(aside, path);
  });

/**
 * Makes the storage's folder and its mark, durably.
 * @returns the id that now stands there: another's, where another was first
 */
export async function makeMarker(root: string, id: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await putMarker(markerPath(root), id, placeFirst);
  await syncFolder(dirname(root));
  return (await readMarker(root)) ?? id;
}
