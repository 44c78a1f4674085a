/** A file with the installation's id. It distinguishes the storage from another one and from an empty mount point. */

import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { validate as isUuid } from 'uuid';
import { joinRunning } from '../../lib/single-flight.ts';
import { syncFolder } from '../durable.ts';
import { nothingThere } from '../failures.ts';

export const markerPath = (root: string) => join(root, 'installation');

/** @returns the id; other text if the file is malformed; undefined if it does not exist */
export async function readMarker(root: string): Promise<string | undefined> {
  const text = await readFile(markerPath(root), 'utf8').catch(nothingThere);
  return text?.slice(0, 100).trim();
}

/**
 * Returns a check, made before each write, that the marker holds the installation's id; concurrent writes share one. A stat
 * call suffices while the file is the one read last: its fields change if the file or the disk below it is replaced.
 */
export function watchMarker(root: string, installation: string): () => Promise<boolean> {
  let seen = '';

  return joinRunning(async () => {
    const info = await stat(markerPath(root), { bigint: true }).catch(nothingThere);
    if (!info) return false;
    const version = [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join('-');
    if (version === seen) return true;
    if ((await readMarker(root)) !== installation) return false;
    seen = version;
    return true;
  });
}

export const isId = isUuid;

/** Writes a line to a file durably and atomically. @param move moves the finished file to its path */
export async function putMarker(
  path: string,
  text: string,
  move: (aside: string, path: string) => Promise<void>,
): Promise<void> {
  const aside = join(dirname(path), `${randomUUID()}.mark`);
  try {
    const file = await open(aside, 'wx', 0o600);
    await file
      .writeFile(`${text}\n`)
      .then(() => file.sync())
      .finally(() => file.close());
    await move(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
  await syncFolder(dirname(path));
}

/** Never replaces an existing file, except on file systems without hard links. */
const moveUnlessExists = (aside: string, path: string) =>
  link(aside, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') await rename(aside, path);
  });

/** Creates the storage's folder and marker. @returns the stored id: another one if another process was first */
export async function makeMarker(root: string, id: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await putMarker(markerPath(root), id, moveUnlessExists);
  await syncFolder(dirname(root));
  return (await readMarker(root)) ?? id;
}
