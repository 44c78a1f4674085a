import { and, eq, like, lt, notLike, sql } from 'drizzle-orm';
import { rateLimits } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';

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

const hasEnded = lt(rateLimits.resetsAt, sql`clock_timestamp()`);
const tallies = 'tally:';

export async function dropEndedWindows(db: Database): Promise<void> {
  await db.delete(rateLimits).where(and(hasEnded, notLike(rateLimits.key, `${tallies}%`)));
}

/** Counts something whose number is wanted after its window: `takeTallies` returns it. */
export async function addToTally(db: Database, name: string, windowMs: number): Promise<void> {
  // Each window has a separate row, which waits until it is taken.
  await countAttempt(db, `${tallies}${name}:${Math.floor(Date.now() / windowMs)}`, windowMs);
}

/** Deletes the tallies whose windows have ended. @returns their sum */
export async function takeTallies(tx: Transaction, name: string): Promise<number> {
  const ended = await tx
    .delete(rateLimits)
    .where(and(hasEnded, like(rateLimits.key, `${tallies}${name}:%`)))
    .returning({ count: rateLimits.count });
  return ended.reduce((sum, { count }) => sum + count, 0);
}
