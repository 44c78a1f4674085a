/** All that rows name in the storage, while a server may run beside. */
import { availableParallelism } from 'node:os';
import type { ImageRow } from '../../../../drizzle/schema.ts';
import { UNOWNED } from '../../../database/process-registry.ts';
import { settledContent } from '../../../images/content-queries.ts';
import { eachImage, first } from '../../../images/each-image.ts';
import { contentIdOf, originalKey, type Said, saidOf } from '../../../images/keys.ts';
import { countImagesAfter } from '../../../images/queries.ts';
import { failureOfFile, withRetry } from '../../../storage/retry-policy.ts';
import { DamagedBytes, isDamage, NotSealed } from '../../../storage/sealed/damage.ts';
import type { Outcome, Put, Seals } from '../../../storage/seals.ts';
import { CommandFailed } from '../console/failures.ts';
import { noteAbove, startProgress } from '../console/progress.ts';
import type { Admin } from '../context.ts';
import { orphanedBlobsOf } from '../orphaned-blobs.ts';

export type StoredObject = Said & { put: Put };

export type Sums = Record<Outcome, number> & { failed: number };

/** @throws CommandFailed where no key is given to seal with */
export async function sealingOf(admin: Admin): Promise<Seals> {
  const { sealing } = await admin.storage();
  if (sealing?.keyring.present) return sealing;
  throw new CommandFailed('ENCRYPTION_KEY is not set: there is no key to seal with.');
}

/** Removes what killed commands have left in the staging: no server may run beside, and the doctor would report it. */
export async function sweepStaging(admin: Admin): Promise<void> {
  const { isAlive } = await admin.presence();
  await (await admin.storage()).sweep(isAlive);
}

/** An upload that ends meanwhile leaves its pieces to the sweep. */
const putPiece: Put = async (write) => {
  await write();
  return true;
};

/** So many in a row that the storage fails at, and it is no single file's fault, though it answers. */
const maxInARow = 20;

/** Of the objects of one content, whether the work on them was done. */
export type Worked = { original: boolean; renditions: boolean };

/**
 * What cannot be worked on is named; what ails the whole storage ends the run.
 * @param finish told each content that was worked on, with the row that named it
 */
export async function eachStored(
  admin: Admin,
  label: string,
  work: (object: StoredObject) => Promise<Outcome>,
  finish?: (row: ImageRow, worked: Worked) => Promise<void>,
): Promise<Sums> {
  const { db } = admin;
  const storage = await admin.storage();
  // At nothing that is loose under any name: it only asks for rows that may have gone.
  const orphaned = orphanedBlobsOf(admin, storage, UNOWNED);
  const sums: Sums = { done: 0, before: 0, plain: 0, missing: 0, failed: 0 };
  const progress = startProgress(label, await countImagesAfter(db, first));

  /** No row is locked while it is written: a deletion would wait for a whole original to reach the storage. */
  const putOf =
    (row: ImageRow, { key, sha256 }: Said): Put =>
    async (write) => {
      try {
        await write();
        const now = await settledContent(db, contentIdOf(row));
        // The storage may fail when what nobody wants is removed.
        if (!now) await orphaned.reconcile(row);
        return now !== undefined && saidOf(now).some((said) => said.key === key && said.sha256 === sha256);
      } catch (error) {
        // It may have been written, and its row may have gone.
        await orphaned.reconcile(row);
        throw error;
      }
    };

  let inARow = 0;
  /** @returns whether it was done */
  const attempt = async (object: StoredObject): Promise<boolean> => {
    try {
      const outcome = await withRetry(() => work(object));
      // Left plain, it is not what its row says.
      if (outcome === 'plain' && object.sealed) throw new DamagedBytes(object.key, new NotSealed());
      sums[outcome] += 1;
      inARow = 0;
      return true;
    } catch (error) {
      const reason = isDamage(error) ? error.reason : await failureOfFile(error, storage.isHealthy);
      if (!isDamage(error)) inARow += 1;
      if (inARow >= maxInARow) throw error;
      sums.failed += 1;
      noteAbove(`${object.key}: ${reason}; "doctor" tells more`);
      return false;
    }
  };

  const attemptAll = async (row: ImageRow) => {
    const worked = { original: true, renditions: true };
    for (const said of saidOf(row)) {
      if (await attempt({ ...said, put: putOf(row, said) })) continue;
      worked[said.key === originalKey(row) ? 'original' : 'renditions'] = false;
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
