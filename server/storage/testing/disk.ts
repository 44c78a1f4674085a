/** A storage in a temporary folder, optionally with wrapped objects. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openDiskStorage } from '../disk/open.ts';
import type { ObjectStore } from '../object-store.ts';
import { makeMarker } from '../ownership/marker.ts';
import type { Owner } from '../ownership/owner.ts';
import type { Storage } from '../storage.ts';
import type { Sample } from './sample.ts';

type DiskSample = Sample & {
  root: string;
  bare: ObjectStore;
};

/** @param folder an empty folder, removed with the test */
export async function diskSample(
  t: Test,
  folder: string,
  wrap: NonNullable<Owner['wrap']> = (bare) => bare,
): Promise<DiskSample> {
  const root = join(folder, 'files');
  const installation = await makeMarker(root, randomUUID());
  let process = 0n;
  const open = async (wrapped: Owner['wrap']): Promise<Storage> => {
    process += 1n;
    const storage = await openDiskStorage(root, { installation, process, wrap: wrapped });
    t.teardown(() => storage.close());
    return storage;
  };
  let seen: { bare: ObjectStore; objects: ObjectStore } | undefined;
  await open((bare, staging) => {
    const objects = wrap(bare, staging);
    seen = { bare, objects };
    return objects;
  });
  if (!seen) throw new Error('not opened');
  return {
    ...seen,
    root,
    storage: await open(wrap),
    second: () => open(wrap),
    async takeAway() {
      await rename(root, `${root}-elsewhere`);
      await mkdir(root);
      return async () => {
        await rmdir(root);
        await rename(`${root}-elsewhere`, root);
      };
    },
  };
}
