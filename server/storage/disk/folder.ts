/** One folder as the place of an installation's objects. */
import { join } from 'node:path';
import { StorageUnavailable } from '../../errors.ts';
import { makeFolder } from '../durable.ts';
import { guarded } from '../failures.ts';
import { collections, type Objects } from '../object-store.ts';
import { createMarkWatch } from '../ownership/marker.ts';
import type { Staging } from '../staging.ts';
import { createDiskObjects } from './objects.ts';

/** @returns what throws StorageUnavailable where the folder does not hold the installation's mark */
export function ensureOursIn(root: string, installation: string): () => Promise<void> {
  const isOurs = createMarkWatch(root, installation);
  return async () => {
    if (await isOurs()) return;
    throw Object.assign(new StorageUnavailable(), {
      cause: new Error(`${root} does not hold this installation's mark`),
    });
  };
}

export async function objectsIn(root: string, installation: string, staging: Staging): Promise<Objects> {
  const ensureOurs = ensureOursIn(root, installation);
  await guarded(async () => {
    await ensureOurs();
    for (const collection of collections) await makeFolder(join(root, collection));
  });
  return createDiskObjects({ root, staging, ensureOurs });
}
