/** Copies all objects of one image's content, which may be deleted or rebuilt meanwhile. */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { settledContent } from '../../images/content/queries.ts';
import { allKeys, contentIdOf, type ExpectedObject, expectedObjects, originalKey } from '../../images/keys.ts';
import { asStorageError } from '../../storage/failures.ts';
import { isDamage } from '../../storage/sealed/damage.ts';
import { copyObject, type SourceAndTarget, WrongBytes } from './migrate-object.ts';

export type Sums = { copied: number; bytes: number; there: number; gone: number; failed: number };

export type Failure = { key: string; reason: string };

type Parts = SourceAndTarget & { db: Database; sums: Sums; fail(failure: Failure): void };

/** Attempts for an object whose row keeps changing. */
const maxTries = 5;

/** @throws failures of a whole backend */
export async function copyImage(parts: Parts, row: ImageRow): Promise<void> {
  for (const expected of expectedObjects(row)) {
    if (await copyExpected(parts, row, expected)) continue;
    // Deleted meanwhile. The deletion may have missed objects that were written here after it.
    parts.sums.gone += 1;
    for (const key of allKeys(row)) await parts.to.remove(key);
    return;
  }
}

/** @returns false if no row names the content any more */
async function copyExpected(parts: Parts, row: ImageRow, first: ExpectedObject): Promise<boolean> {
  const { db, sums } = parts;
  let expected = first;
  for (let time = 1; ; time += 1) {
    const { is, bytes, reason } = await attempt(parts, expected);
    if (is === 'there') {
      sums.there += 1;
      return true;
    }
    if (is === 'absent' && expected.sha256 === null) return true;
    const now = await settledContent(db, contentIdOf(row));
    if (!now) return false;
    const expectedNow = expectedObjects(now).find(({ key }) => key === expected.key) ?? expected;
    if (expectedNow.sha256 === expected.sha256) {
      if (is === 'copied') {
        sums.copied += 1;
        sums.bytes += bytes;
      } else if (is === 'wrong') parts.fail({ key: expected.key, reason });
      // Missing renditions are rebuilt on request.
      else if (expected.key === originalKey(now)) parts.fail({ key: expected.key, reason: 'it is missing' });
      return true;
    }
    // Rebuilt meanwhile: the row no longer names the copied bytes.
    if (is === 'copied') await parts.to.remove(expected.key);
    if (time === maxTries) {
      parts.fail({ key: expected.key, reason: 'it changes again and again' });
      return true;
    }
    expected = expectedNow;
  }
}

type Attempt = { is: 'copied' | 'there' | 'absent' | 'wrong'; bytes: number; reason: string };

async function attempt(sides: SourceAndTarget, expected: ExpectedObject): Promise<Attempt> {
  try {
    return { ...(await copyObject(sides, expected)), reason: '' };
  } catch (error) {
    if (error instanceof WrongBytes) return { is: 'wrong', bytes: 0, reason: error.message };
    if (isDamage(error)) return { is: 'wrong', bytes: 0, reason: error.reason };
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    // A file that the disk cannot read.
    if (syscall === 'read') return { is: 'wrong', bytes: 0, reason: `it cannot be read (${code})` };
    throw asStorageError(error);
  }
}
