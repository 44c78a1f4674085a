/** Images whose rows do not say of all their bytes that they are sealed (docs/run/encryption.md). */
import { count, sql } from 'drizzle-orm';
import { images } from '../../../drizzle/schema.ts';
import { type Database, isUnavailable } from '../connect.ts';

/** No index contains them: every upload would write it, also where there is no key. */
const unsealed = sql`not (${images.sealed} and ${images.renditionsSealed})`;

/**
 * Whether there is such an image. Reads rows until it finds one.
 * @param longest milliseconds that it may take
 * @returns undefined where that was not enough, or the database is not available
 */
export async function hasUnsealed(db: Database, longest = 5_000): Promise<boolean | undefined> {
  const query = db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(longest)}, true)`);
    const rows = await tx.select({ id: images.id }).from(images).where(unsealed).limit(1);
    return rows.length > 0;
  });
  return query.catch((error) => {
    if (!isUnavailable(error)) throw error;
    return undefined;
  });
}

export async function countUnsealed(db: Database): Promise<number> {
  const [row] = await db.select({ number: count() }).from(images).where(unsealed);
  return row?.number ?? 0;
}
