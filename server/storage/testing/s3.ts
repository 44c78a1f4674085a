/** A storage in a temporary bucket, optionally with wrapped objects. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Config } from '../../config/config.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { createTestBucket } from '../../testing/s3.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Owner } from '../ownership/owner.ts';
import { openBucket } from '../s3/backend.ts';
import type { Storage } from '../storage.ts';
import type { Sample } from './sample.ts';

type S3Sample = Sample & {
  bare: ObjectStore;
};

export async function s3Sample(
  t: Test,
  wrap: NonNullable<Owner['wrap']> = (bare) => bare,
  fallback?: (installation: string) => Owner['fallback'],
): Promise<S3Sample> {
  const folder = await temporaryFolder(t);
  const { bucket, cable } = await createTestBucket(t);
  const backend = await openBucket(bucket as Config);
  t.teardown(() => backend.close());
  const installation = await backend.marker.make(randomUUID());
  let process = 0n;
  let seen: { bare: ObjectStore; objects: ObjectStore } | undefined;
  const open = async (): Promise<Storage> => {
    process += 1n;
    const owner: Owner = {
      installation,
      process,
      fallback: fallback?.(installation),
      wrap(bare, staging) {
        const objects = wrap(bare, staging);
        seen = { bare, objects };
        return objects;
      },
    };
    const storage = await (await openBucket(bucket as Config)).open(owner, join(folder, String(process)));
    t.teardown(() => storage.close());
    return storage;
  };
  const storage = await open();
  if (!seen) throw new Error('not opened');
  return {
    ...seen,
    storage,
    second: open,
    async takeAway() {
      await cable.pull();
      return cable.plugIn;
    },
  };
}
