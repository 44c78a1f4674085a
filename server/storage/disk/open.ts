/** The storage under one folder of this machine. */
import { join } from 'node:path';
import { StorageUnavailable } from '../../errors.ts';
import { createStorage } from '../create-storage.ts';
import { makeFolder } from '../durable.ts';
import { guarded } from '../failures.ts';
import { createMarkWatch } from '../mark.ts';
import { collections, type Objects } from '../objects.ts';
import { createStaging, type Staging } from '../staging.ts';
import type { Storage } from '../storage.ts';
import { createDiskObjects } from './objects.ts';
import { createDiskPartials } from './partials.ts';

export type Owner = {
  /** The id in the storage's mark (mark.ts), which stands there already. */
  installation: string;
  /** This process's number (database/presence.ts). */
  process: bigint;
  /** Puts something around the objects, such as a seal; they have no `localPath` then. */
  wrap?: ((objects: Objects, staging: Staging) => Objects) | undefined;
};

/**
 * `staging/` beside the permanent keys, on the same file system. Once it is open, no folder is made but in one that
 * belongs to it: nothing is ever written where a disk is missing.
 */
export async function openDiskStorage(root: string, { installation, process, wrap }: Owner): Promise<Storage> {
  const isOurs = createMarkWatch(root, installation);
  const ensureOurs = async () => {
    if (await isOurs()) return;
    throw Object.assign(new StorageUnavailable(), {
      cause: new Error(`${root} does not hold this installation's mark`),
    });
  };
  const staging = createStaging(root, process, ensureOurs);
  await guarded(async () => {
    await ensureOurs();
    await staging.open();
    for (const collection of collections) await makeFolder(join(root, collection));
  });
  const plain = createDiskObjects({ root, staging, ensureOurs });
  return createStorage({
    staging,
    objects: wrap ? wrap(plain, staging) : plain,
    partials: createDiskPartials(join(root, 'staging'), ensureOurs),
    keepsStaged: wrap === undefined,
  });
}
