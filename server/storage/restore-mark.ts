/**
 * Marks a storage that is being restored: its originals have no rows yet, and are no reason to refuse the same restore
 * when it is run again.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './durable.ts';
import { nothingThere } from './failures.ts';
import { markOf } from './mark.ts';

const restoringOf = (root: string) => join(root, 'restoring');

/** @returns the installation that is being restored here, undefined where none is */
export async function readRestoreMark(root: string): Promise<string | undefined> {
  const text = await readFile(restoringOf(root), 'utf8').catch(nothingThere);
  return text?.slice(0, 100).trim();
}

/** The storage is the installation's from here on, and marked as being restored. */
export async function beginRestore(root: string, installation: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await putFile(restoringOf(root), installation);
  await putFile(markOf(root), installation);
  await syncFolder(dirname(root));
}

export async function endRestore(root: string): Promise<void> {
  await rm(restoringOf(root), { force: true });
  await syncFolder(root);
}

/** Whole or not at all, in the place of what stands there. */
async function putFile(path: string, text: string): Promise<void> {
  const aside = join(dirname(path), `${randomUUID()}.mark`);
  try {
    const file = await open(aside, 'wx', 0o600);
    await file
      .writeFile(`${text}\n`)
      .then(() => file.sync())
      .finally(() => file.close());
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
  await syncFolder(dirname(path));
}
