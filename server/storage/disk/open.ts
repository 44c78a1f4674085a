import { join } from 'node:path';
import { createStorage } from '../create-storage.ts';
import { guarded } from '../failures.ts';
import { fallBack } from '../fallback.ts';
import type { Owner } from '../ownership/owner.ts';
import { createStaging } from '../staging.ts';
import type { Storage } from '../storage.ts';
import { assertOwnedIn, objectsIn } from './folder.ts';
import { createDiskPartials } from './partials.ts';

/** Later, folders are created only inside folders that belong to the storage, never in the mount point of a missing disk. */
export async function openDiskStorage(
  root: string,
  { installation, process, wrap, fallback }: Owner,
): Promise<Storage> {
  const assertOwned = assertOwnedIn(root, installation);
  const staging = createStaging(root, process, assertOwned);
  await guarded(async () => {
    await assertOwned();
    await staging.open();
  });
  const own = await objectsIn(root, installation, staging);
  const plain = fallback ? fallBack(own, await fallback(staging)) : own;
  return createStorage({
    staging,
    objects: wrap ? wrap(plain, staging) : plain,
    partials: createDiskPartials(join(root, 'staging'), assertOwned),
    keepsStaged: wrap === undefined,
  });
}
