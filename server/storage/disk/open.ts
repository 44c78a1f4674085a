/** The storage under one folder of this machine. */
import { join } from 'node:path';
import { createStorage } from '../create-storage.ts';
import { guarded } from '../failures.ts';
import { fallBack } from '../fallback.ts';
import type { Owner } from '../ownership/owner.ts';
import { createStaging } from '../staging.ts';
import type { Storage } from '../storage.ts';
import { assertOwnedIn, objectsIn } from './folder.ts';
import { createDiskPartials } from './partials.ts';

/**
 * `staging/` beside the permanent keys, on the same file system. Once it is open, no folder is made but in one that
 * belongs to it: nothing is ever written where a disk is missing.
 */
export async function openDiskStorage(root: string, { installation, process, wrap, behind }: Owner): Promise<Storage> {
  const assertOwned = assertOwnedIn(root, installation);
  const staging = createStaging(root, process, assertOwned);
  await guarded(async () => {
    await assertOwned();
    await staging.open();
  });
  const own = await objectsIn(root, installation, staging);
  const plain = behind ? fallBack(own, await behind(staging)) : own;
  return createStorage({
    staging,
    objects: wrap ? wrap(plain, staging) : plain,
    partials: createDiskPartials(join(root, 'staging'), assertOwned),
    keepsStaged: wrap === undefined,
  });
}
