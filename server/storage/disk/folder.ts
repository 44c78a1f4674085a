import { join } from 'node:path';
import { StorageUnavailable } from '../../errors.ts';
import { makeFolder } from '../durable.ts';
import { guarded } from '../failures.ts';
import { collections, type ObjectStore } from '../object-store.ts';
import { watchMarker } from '../ownership/marker.ts';
import type { Staging } from '../staging.ts';
import { createDiskStore } from './objects.ts';

/** @returns a check that throws StorageUnavailable unless the folder holds the installation's ownership marker */
export function assertOwnedIn(root: string, installation: string): () => Promise<void> {
  const isOwned = watchMarker(root, installation);
  return async () => {
    if (await isOwned()) return;
    throw Object.assign(new StorageUnavailable(), {
      cause: new Error(`${root} does not hold this installation's mark`),
    });
  };
}

export async function objectsIn(root: string, installation: string, staging: Staging): Promise<ObjectStore> {
  const assertOwned = assertOwnedIn(root, installation);
  await guarded(async () => {
    await assertOwned();
    for (const collection of collections) await makeFolder(join(root, collection));
  });
  return createDiskStore({ root, staging, assertOwned });
}
