/** Processes every stored object that rows name, while a server may run. */
import { availableParallelism } from 'node:os';
import type { ImageRow } from '../../../../drizzle/schema.ts';
import { UNOWNED } from '../../../database/process-registry.ts';
import { settledContent } from '../../../images/content/queries.ts';
import { eachImage, first } from '../../../images/each-image.ts';
import { contentIdOf, type ExpectedObject, expectedObjects, originalKey } from '../../../images/keys.ts';
import { countImagesAfter } from '../../../images/queries.ts';
import { failureOfFile, withRetry } from '../../../storage/retry-policy.ts';
import { DamagedBytes, isDamage, NotSealed } from '../../../storage/sealed/damage.ts';
import type { Outcome, Put, Seals } from '../../../storage/seals.ts';
import { CommandFailed } from '../console/failures.ts';
import { noteAbove, startProgress } from '../console/progress.ts';
import type { Admin } from '../context.ts';
import { orphanedBlobsOf } from '../orphaned-blobs.ts';

export type StoredObject = ExpectedObject & { put: Put };

type Sums = Record<Outcome, number> & { failed: number };

/** @throws CommandFailed if no key to seal with is given */
export async function sealingOf(admin: Admin): Promise<Seals> {
  const { sealing } = await admin.storage();
  if (sealing?.keyring.present) return sealing;
  throw new CommandFailed('ENCRYPTION_KEY is not set: there is no key to seal with.');
}

/** Removes staged files of killed commands: no server may be running to do it, and the doctor would report them. */
export async function sweepStaging(admin: Admin): Promise<void> {
  const { isAlive } = await admin.processRegistry();
  await (await admin.storage()).sweep(isAlive);
}

/** Writes a tus piece; if its upload ends meanwhile, the sweep removes it. */
const putPiece: Put = async (write) => {
  await write();
  return true;
};

/** Failures in a row that end the run: then the storage is at fault, not single files. */
const maxInARow = 20;

export type Worked = { original: boolean; renditions: boolean };

/** Names each object that fails; a failing storage ends the run. @param finish gets each content and a row naming it */
export async function eachStored(
  admin: Admin,
  label: string,
  work: (object: StoredObject) => Promise<Outcome>,
  finish?: (row: ImageRow, worked: Worked) => Promise<void>,
): Promise<Sums> {
  const { db } = admin;
  const storage = await admin.storage();
  // UNOWNED: it only reconciles rows that may have been deleted, and owns no orphaned blobs.
  const orphaned = orphanedBlobsOf(admin, storage, UNOWNED);
  const sums: Sums = { done: 0, before: 0, plain: 0, missing: 0, failed: 0 };
  const progress = startProgress(label, await countImagesAfter(db, first));

  /** Locks no row during the write: a deletion would wait until a whole original has reached the storage. */
  const putOf =
    (row: ImageRow, { key, sha256 }: ExpectedObject): Put =>
    async (write) => {
      try {
        await write();
        const now = await settledContent(db, contentIdOf(row));
        // Reconciling makes sure that the bytes are removed, even if the storage fails now.
        if (!now) await orphaned.reconcile(row);
        return (
          now !== undefined &&
          expectedObjects(now).some((expected) => expected.key === key && expected.sha256 === sha256)
        );
      } catch (error) {
        // The bytes may have been written although the write failed, and the row may be deleted.
        await orphaned.reconcile(row);
        throw error;
      }
    };

  let inARow = 0;
  const attempt = async (object: StoredObject): Promise<boolean> => {
    try {
      const outcome = await withRetry(() => work(object));
      // The row says sealed, so plain bytes are damage.
      if (outcome === 'plain' && object.sealed) throw new DamagedBytes(object.key, new NotSealed());
      sums[outcome] += 1;
      inARow = 0;
      return true;
    } catch (error) {
      const reason = isDamage(error) ? error.reason : await failureOfFile(error, storage.isHealthy);
      if (!isDamage(error)) inARow += 1;
      if (inARow >= maxInARow) throw error;
      sums.failed += 1;
      noteAbove(`${object.key}: ${reason}; "doctor" shows more`);
      return false;
    }
  };

  const attemptAll = async (row: ImageRow) => {
    const worked = { original: true, renditions: true };
    for (const expected of expectedObjects(row)) {
      if (await attempt({ ...expected, put: putOf(row, expected) })) continue;
      worked[expected.key === originalKey(row) ? 'original' : 'renditions'] = false;
    }
    await finish?.(row, worked);
  };

  try {
    await eachImage(db, { atOnce: availableParallelism() }, async (row, isFirst) => {
      if (isFirst) await attemptAll(row);
      progress.step();
    });
    for await (const key of storage.sealing?.pieces() ?? []) {
      await attempt({ key, sha256: null, sealed: false, put: putPiece });
    }
    return sums;
  } finally {
    progress.stop();
    await orphaned.reconcileAll();
  }
}
