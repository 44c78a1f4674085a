/** Work on every image of the collection, while servers go on. */
import pLimit from 'p-limit';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { firstOfEach, sharedContents } from './content-queries.ts';
import { imagesAfter } from './queries.ts';

type Options = {
  /** Images that are worked on at a time. */
  atOnce: number;
  /** An image's id: only those behind it. */
  after?: string;
  /** Told an image's id once all up to it are done. */
  done?: (id: string) => void;
};

/** Before every image's id. */
export const first = '00000000-0000-0000-0000-000000000000';

/** Rows asked for in one go. */
const batch = 100;

/**
 * In the order of their ids; images that come meanwhile too, where their ids come after those that are done.
 *
 * @param work told whether the image is the first of its content
 * @throws its first failure: no further image is begun then, and those under way have ended
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
