import pLimit from 'p-limit';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { firstOfEach, sharedContents } from './content/queries.ts';
import { imagesAfter } from './queries.ts';

type Options = {
  atOnce: number;
  /** Visits only images with ids after this one. */
  after?: string;
  /** Called with an id once all images up to it are done. */
  done?: (id: string) => void;
};

/** An id before every image's id. */
export const first = '00000000-0000-0000-0000-000000000000';

const batch = 100;

/**
 * Visits every image in id order while servers run, including new ones with later ids.
 * @param work `isFirst`: whether the image is the first of its content
 * @throws the first failure, after all started images have ended; no further image is started
 */
export async function eachImage(
  db: Database,
  { atOnce, after = first, done = () => {} }: Options,
  work: (row: ImageRow, isFirst: boolean) => Promise<void>,
): Promise<void> {
  const isFirst = firstOfEach(await sharedContents(db));
  const inTurn = pLimit(atOnce);
  const failures: unknown[] = [];
  const one = async (row: ImageRow) => {
    if (failures.length === 0) await work(row, isFirst(row)).catch((error) => void failures.push(error));
  };
  for (let last = after; ; ) {
    const rows = await imagesAfter(db, last, batch);
    const end = rows.at(-1);
    if (!end) return;
    await Promise.all(rows.map((row) => inTurn(one, row)));
    if (failures.length > 0) throw failures[0];
    last = end.id;
    done(last);
  }
}
