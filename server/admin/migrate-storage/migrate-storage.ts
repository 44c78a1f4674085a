/** Copies a collection in use from one backend to another, by the database's rows. */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { eachImage } from '../../images/each-image.ts';
import { originalKey } from '../../images/keys.ts';
import { bytesOfImages } from '../../images/queries.ts';
import { type Progress, silent } from '../../lib/progress.ts';
import { failureOfFile, type RetryPolicy, withRetry } from '../../storage/retry-policy.ts';
import { copyImage, type Failure, type Sums } from './migrate-image.ts';
import type { SourceAndTarget } from './migrate-object.ts';

export type { Failure, Sums };

export type CopyOptions = RetryPolicy & {
  progress?: Progress;
  report?: (failure: Failure) => void;
};

/** Parallel copies: most of the time is spent waiting for a server. */
const atOnce = 8;

const counted = ['copied', 'bytes', 'there', 'gone'] as const;
const noSums = (): Sums => ({ copied: 0, bytes: 0, there: 0, gone: 0, failed: 0 });

/**
 * Can be repeated: skips objects that are whole at the target. Also copies images uploaded meanwhile, if their ids
 * follow.
 * @throws a failure of a whole backend that outlasts the retries
 */
export async function copyAll(sides: SourceAndTarget & { db: Database }, options: CopyOptions = {}): Promise<Sums> {
  const { db } = sides;
  const { progress = silent, report, signal, pauses } = options;
  const sums = noSums();
  const fail = (failure: Failure) => {
    sums.failed += 1;
    report?.(failure);
  };

  /** All or nothing: a retry does not count objects twice. */
  async function attempt(row: ImageRow): Promise<void> {
    const own = noSums();
    const failures: Failure[] = [];
    await copyImage({ ...sides, sums: own, fail: (failure) => failures.push(failure) }, row);
    for (const name of counted) sums[name] += own[name];
    for (const failure of failures) fail(failure);
  }

  const isHealthy = async () => (await sides.from.isHealthy()) && (await sides.to.isHealthy());

  /** A failure of single files does not end the migration. */
  const copyOne = (row: ImageRow) =>
    withRetry(() => attempt(row), { pauses, signal }).catch(async (error) =>
      fail({ key: originalKey(row), reason: await failureOfFile(error, isHealthy) }),
    );

  progress.begin('Copying', await bytesOfImages(db));
  try {
    await eachImage(db, { atOnce }, async (row, isFirst) => {
      signal?.throwIfAborted();
      if (isFirst) await copyOne(row);
      progress.advance(row.size);
    });
    return sums;
  } finally {
    progress.end();
  }
}
