/** What the processes share beside the database: the place where permanent bytes stand. */
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { storedFiles } from '../../server/testing/disk.ts';
import { temporaryFolder } from '../../server/testing/postgres/embedded.ts';
import { createTestBucket, s3Environment, storedObjects, withoutS3 } from '../../server/testing/s3.ts';

export type SharedStorage = {
  /** Where a process that is about to start keeps what is its own. */
  dataDir(): string;
  /** Variables beside DATA_DIR. */
  environment: Record<string, string>;
  /** From now on no process reaches it, whatever it is at. */
  cut(): Promise<void>;
  /** It is there again, as it was. */
  mend(): Promise<void>;
  /** All that stands there, also what is not permanent yet: `originals/3f/<id>.jpg`. */
  keys(): Promise<string[]>;
};

/** One folder for all, as a file system that several machines mount. */
export async function sharedDisk(t: Test): Promise<SharedStorage> {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o711);
  const [files, away] = [join(folder, 'files'), join(folder, 'files.away')];
  return {
    dataDir: () => folder,
    environment: {},
    async cut() {
      renameSync(files, away);
      // Where the folder was stands something that none can be made in.
      writeFileSync(files, '');
    },
    async mend() {
      rmSync(files);
      renameSync(away, files);
    },
    keys: () => storedFiles(folder),
  };
}

/** A bucket of a real S3 server, behind a line that can be pulled out. Each process starts with an empty folder of its own. */
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

/** Of the variants, the one that the run asked for: `npm run test:cluster -- --storage=disk`. */
export const chosenKind = kindOf(process.env.GALLERY_CLUSTER_STORAGE ?? 's3');

/** For tap's `skip`: why there is none, or false. */
export const withoutChosen = chosenKind === 's3' && withoutS3;

function kindOf(name: string): Kind {
  if (name in kinds) return name as Kind;
  throw new Error(`There is no storage "${name}": ${Object.keys(kinds).join(', ')}.`);
}

export const storageOf = (t: Test, kind: Kind): Promise<SharedStorage> => kinds[kind](t);
