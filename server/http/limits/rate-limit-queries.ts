import { and, eq, lt, sql } from 'drizzle-orm';
import { rateLimits } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';

export type Count = {
  count: number;
  /** Milliseconds until the window ends. */
  msLeft: number;
};

const msLeft = sql<number>`(extract(epoch from ${rateLimits.resetsAt} - clock_timestamp()) * 1000)::float8`;
const inWindow = sql`${rateLimits.resetsAt} > clock_timestamp()`;

/** Counts one attempt in the key's window, which begins with its first attempt. */
export async function countAttempt(db: Database, key: string, windowMs: number): Promise<Count> {
  const end = sql`clock_timestamp() + ${windowMs} * interval '1 millisecond'`;
  const [row] = await db
    .insert(rateLimits)
    .values({ key, count: 1, resetsAt: end })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${inWindow} then ${rateLimits.count} + 1 else 1 end`,
        resetsAt: sql`case when ${inWindow} then ${rateLimits.resetsAt} else ${end} end`,
      },
    })
    .returning({ count: rateLimits.count, msLeft });
  if (!row) throw new Error('an upsert answered no row');
  return { count: row.count, msLeft: Math.max(0, Number(row.msLeft)) };
}

export async function uncountAttempt(db: Database, key: string): Promise<void> {
  const count = sql`greatest(${rateLimits.count} - 1, 0)`;
  await db
    .update(rateLimits)
    .set({ count })
    .where(and(eq(rateLimits.key, key), inWindow));
}

export async function readAttempts(db: Database, key: string): Promise<Count> {
  const [row] = await db
    .select({ count: rateLimits.count, msLeft })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, key), inWindow));
  return { count: row?.count ?? 0, msLeft: Math.max(0, Number(row?.msLeft ?? 0)) };
}

export async function dropEndedWindows(db: Database): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, sql`clock_timestamp()`));
}
