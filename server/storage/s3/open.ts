import { mkdir } from 'node:fs/promises';
import type { Backend } from '../backend.ts';
import { createStorage } from '../create-storage.ts';
import { belowDataDir } from '../data-dir.ts';
import { fallBack } from '../fallback.ts';
import { createObjectPartials } from '../object-partials.ts';
import type { Owner } from '../ownership/owner.ts';
import { createStaging } from '../staging.ts';
import type { Storage } from '../storage.ts';

type S3Backend = Owner & {
  /** A local folder for the staging; it may be empty at every start. */
  root: string;
  objects: Backend['objects'];
};

export async function openS3Storage({ root, ...owner }: S3Backend): Promise<Storage> {
  const staging = createStaging(root, owner.process);
  await belowDataDir(root, async () => {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await staging.open();
  });
  const own = await owner.objects(owner.installation, staging);
  const plain = owner.fallback ? fallBack(own, await owner.fallback(staging)) : own;
  const objects = owner.wrap ? owner.wrap(plain, staging) : plain;
  return createStorage({
    staging,
    objects,
    partials: createObjectPartials(objects, staging, own.list),
    keepsStaged: false,
  });
}
