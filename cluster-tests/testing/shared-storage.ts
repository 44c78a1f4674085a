import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { storedFiles } from '../../server/testing/disk.ts';
import { temporaryFolder } from '../../server/testing/postgres/embedded.ts';
import { createTestBucket, s3Environment, storedObjects, withoutS3 } from '../../server/testing/s3.ts';

export type SharedStorage = {
  /** @returns the data folder for a process that is about to start */
  dataDir(): string;
  /** Variables in addition to DATA_DIR. */
  environment: Record<string, string>;
  /** Makes the storage unreachable for every process. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** @returns all stored keys, staged ones included: `originals/3f/<id>.jpg` */
  keys(): Promise<string[]>;
};

/** One folder for all processes, like a file system that several machines mount. */
export async function sharedDisk(t: Test): Promise<SharedStorage> {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o711);
  const [files, away] = [join(folder, 'files'), join(folder, 'files.away')];
  return {
    dataDir: () => folder,
    environment: {},
    async cut() {
      renameSync(files, away);
      // A file in place of the folder, so that nothing can be created there.
      writeFileSync(files, '');
    },
    async mend() {
      rmSync(files);
      renameSync(away, files);
    },
    keys: () => storedFiles(folder),
  };
}

/** A bucket of a real S3 server behind a connection that can be cut. Each process starts with an empty folder. */
export async function bucketOf(t: Test): Promise<SharedStorage> {
  const { bucket, cable } = await createTestBucket(t);
  return {
    dataDir: () => temporaryFolder(t),
    environment: { ...s3Environment(bucket), STORAGE: 's3' },
    cut: cable.pull,
    mend: cable.plugIn,
    keys: () => storedObjects(bucket),
  };
}

const kinds = { s3: bucketOf, disk: sharedDisk };

export type Kind = keyof typeof kinds;

/** The variant chosen by `npm run test:cluster -- --storage=disk`. */
export const chosenKind = kindOf(process.env.GALLERY_CLUSTER_STORAGE ?? 's3');

/** For tap's `skip`: why the storage is not available, or false. */
export const withoutChosen = chosenKind === 's3' && withoutS3;

function kindOf(name: string): Kind {
  if (name in kinds) return name as Kind;
  throw new Error(`There is no storage "${name}": ${Object.keys(kinds).join(', ')}.`);
}

export const storageOf = (t: Test, kind: Kind): Promise<SharedStorage> => kinds[kind](t);
