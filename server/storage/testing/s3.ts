/** A storage in a bucket of its own, as it is or with something around its objects. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { createTestBucket, settingsOf } from '../../testing/s3.ts';
import type { Objects } from '../objects.ts';
import { openCalls } from '../s3/calls.ts';
import { makeS3Mark } from '../s3/mark.ts';
import { openS3Storage, type S3Place } from '../s3/open.ts';
import type { Storage } from '../storage.ts';
import type { Sample } from './suite.ts';

export type S3Sample = Sample & {
  /** The objects as they stand in the bucket. */
  bare: Objects;
};

export async function s3Sample(t: Test, wrap: NonNullable<S3Place['wrap']> = (bare) => bare): Promise<S3Sample> {
  const folder = await temporaryFolder(t);
  const { bucket, cable } = await createTestBucket(t);
  const settings = settingsOf(bucket);
  const calls = await openCalls(settings);
  t.teardown(() => calls.close());
  const installation = await makeS3Mark(calls, settings, randomUUID());
  let process = 0n;
  let seen: { bare: Objects; objects: Objects } | undefined;
  const open = async (): Promise<Storage> => {
    process += 1n;
    const storage = await openS3Storage({
      calls: await openCalls(settings),
      settings,
      root: join(folder, String(process)),
      installation,
      process,
      wrap(bare, staging) {
        const objects = wrap(bare, staging);
        seen = { bare, objects };
        return objects;
      },
    });
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
