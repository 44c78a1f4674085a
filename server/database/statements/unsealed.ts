import { count, sql } from 'drizzle-orm';
import { images } from '../../../drizzle/schema.ts';
import { type Database, isUnavailable } from '../connect.ts';

/** Not all bytes are marked as sealed (docs/run/encryption.md). Not indexed: every upload would write the index. */
const unsealed = sql`not (${images.sealed} and ${images.renditionsSealed})`;

/**
 * Whether an unsealed image exists. Reads rows until it finds one.
 * @param longest timeout in milliseconds
 * @returns undefined if it timed out or the database is unavailable
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
