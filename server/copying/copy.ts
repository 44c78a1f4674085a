/** A living collection from one place to another, by the database's rows. */
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { codeOf, messageOf } from '../database/start-error.ts';
import { firstOfEach, sharedContents } from '../images/content-queries.ts';
import { originalKey } from '../images/keys.ts';
import { imagesAfter } from '../images/queries.ts';
import { type Progress, silent } from '../progress.ts';
import { copyImage, type Failure, type Sums } from './copy-image.ts';
import type { Places } from './copy-object.ts';
import { bytesOfImages } from './queries.ts';

export type { Failure, Sums };

export type CopyOptions = {
  progress?: Progress;
  /** Told each object that could not be copied. */
  report?: (failure: Failure) => void;
  signal?: AbortSignal | undefined;
  /** Milliseconds to wait before each further attempt, where a place does not answer. */
  pauses?: readonly number[];
};

/** Most of the time goes by waiting for a server. */
const atOnce = 8;
const batch = 100;
const first = '00000000-0000-0000-0000-000000000000';

/** Together a minute: a server may be restarted meanwhile. */
const usualPauses = [1_000, 3_000, 6_000, 10_000, 20_000, 20_000];

const counted = ['copied', 'bytes', 'there', 'gone'] as const;
const noSums = (): Sums => ({ copied: 0, bytes: 0, there: 0, gone: 0, failed: 0 });

/**
 * May be run again and again: what stands at the target whole is passed over. Images that come while it runs are copied
 * too, as long as their ids come after those that are done.
 *
 * @throws what ails a whole place, where it does so for longer than it is waited for
 */
export async function copyAll(places: Places & { db: Database }, options: CopyOptions = {}): Promise<Sums> {
  const { db } = places;
  const { progress = silent, report, signal, pauses = usualPauses } = options;
  const sums = noSums();
  const fail = (failure: Failure) => {
    sums.failed += 1;
    report?.(failure);
  };

  /** All of it or nothing: what is tried again is not counted twice. */
  async function attempt(row: ImageRow): Promise<void> {
    const own = noSums();
    const failures: Failure[] = [];
    await copyImage({ ...places, sums: own, fail: (failure) => failures.push(failure) }, row);
    for (const name of counted) sums[name] += own[name];
    for (const failure of failures) fail(failure);
  }

  /** Of one image. What its file alone suffers from is no reason to end. */
  async function patiently(row: ImageRow): Promise<void> {
    for (let time = 0; ; time += 1) {
      try {
        return await attempt(row);
      } catch (error) {
        const pause = pauses[time];
        if (codeOf(error) !== 'STORAGE_UNAVAILABLE') throw error;
        if (pause !== undefined) await wait(pause, undefined, { signal });
        else if ((await places.from.answers()) && (await places.to.answers())) {
          return fail({ key: originalKey(row), reason: messageOf((error as Error).cause ?? error) });
        } else throw error;
      }
    }
  }

  progress.begin('Copying', await bytesOfImages(db));
  const isFirst = firstOfEach(await sharedContents(db));
  const inTurn = pLimit(atOnce);
  const one = async (row: ImageRow) => {
    signal?.throwIfAborted();
    if (isFirst(row)) await patiently(row);
    progress.advance(row.size);
  };
  try {
    for (let last = first; ; ) {
      const rows = await imagesAfter(db, last, batch);
      const end = rows.at(-1);
      if (!end) return sums;
      const ended = await Promise.allSettled(rows.map((row) => inTurn(one, row)));
      for (const each of ended) if (each.status === 'rejected') throw each.reason;
      last = end.id;
    }
  } finally {
    progress.end();
  }
}
