/** The storage in a bucket, with its staging on this machine. */
import { mkdir } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { createStorage } from '../create-storage.ts';
import { belowDataDir } from '../data-dir.ts';
import type { MarkedPlace } from '../installation.ts';
import { createObjectPartials } from '../object-partials.ts';
import type { Objects } from '../objects.ts';
import { createStaging, type Staging } from '../staging.ts';
import type { Storage } from '../storage.ts';
import { openCalls, type S3Calls } from './calls.ts';
import { checkBucket } from './check.ts';
import { watchS3Mark } from './mark.ts';
import { markedBucket } from './marked.ts';
import { createS3Objects } from './objects.ts';
import { type S3Settings, s3SettingsOf } from './settings.ts';

export type S3Place = {
  calls: S3Calls;
  settings: S3Settings;
  /** A local folder for the staging; it may be new and empty at every start. */
  root: string;
  /** The id in the bucket's mark, which stands there already. */
  installation: string;
  /** This process's number (database/presence.ts). */
  process: bigint;
  /** Puts something around the objects, such as a seal. */
  wrap?: ((objects: Objects, staging: Staging) => Objects) | undefined;
};

export async function openS3Storage({ calls, settings, root, ...owner }: S3Place): Promise<Storage> {
  const staging = createStaging(root, owner.process);
  await belowDataDir(root, async () => {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await staging.open();
  });
  const mark = watchS3Mark(calls, settings, owner.installation);
  const plain = createS3Objects({ calls, prefix: settings.prefix, mark });
  const objects = owner.wrap ? owner.wrap(plain, staging) : plain;
  return createStorage({
    staging,
    objects,
    partials: createObjectPartials(objects, staging, plain.list),
    keepsStaged: false,
  });
}

type Matching = Pick<S3Place, 'root' | 'process' | 'wrap'> & {
  /** Decides whether the bucket is the database's. @returns the id that both have */
  settle(place: MarkedPlace): Promise<string>;
};

/** @throws ConfigError, one line, for settings that lead to no bucket that can be used, or to another database's */
export async function openMatchedS3Storage(config: Config, { settle, ...rest }: Matching): Promise<Storage> {
  const settings = s3SettingsOf(config);
  const calls = await openCalls(settings);
  try {
    await checkBucket(calls, settings);
    const installation = await settle(markedBucket(calls, settings));
    return await openS3Storage({ ...rest, calls, settings, installation });
  } catch (error) {
    calls.close();
    throw error;
  }
}
