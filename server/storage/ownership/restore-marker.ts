import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../durable.ts';
import { nothingThere } from '../failures.ts';
import { markerPath, putMarker } from './marker.ts';

const restoringOf = (root: string) => join(root, 'restoring');

export async function readRestoreMarker(root: string): Promise<string | undefined> {
  const text = await readFile(restoringOf(root), 'utf8').catch(nothingThere);
  return text?.slice(0, 100).trim();
}

/** Marks the storage as being restored, and as owned by the installation. */
export async function beginRestore(root: string, installation: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await putMarker(restoringOf(root), installation, rename);
  await putMarker(markerPath(root), installation, rename);
  await syncFolder(dirname(root));
}

export async function endRestore(root: string): Promise<void> {
  await rm(restoringOf(root), { force: true });
  await syncFolder(root);
}
