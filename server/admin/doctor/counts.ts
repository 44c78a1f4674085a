/** Checks the counts that pages are found by (image_counts). Triggers keep them; changes that bypass triggers do not. */
import { sql } from 'drizzle-orm';
import type { Database } from '../../database/connect.ts';

const counted = sql`
  select owner_id, span, (extract(epoch from uploaded_at) * 1000)::bigint >> span as place, count(*)::int as count
  from images cross join (values (20), (30), (63)) spans (span)`;

/** Accounts with wrong counts, and the number of wrong entries. One statement sees both at one moment. */
export async function wrongCounts(db: Database): Promise<{ id: string; intervals: number }[]> {
  return db.execute<{ id: string; intervals: number }>(sql`
    select owner_id as id, count(*)::int as intervals
    from (${counted} group by 1, 2, 3) counted
    full join image_counts held using (owner_id, span, place)
    where counted.count is distinct from held.count group by 1 order by 1`);
}

/** Recounts. The table lock waits for running writers and blocks new ones, which then count their own changes. */
export async function repairCounts(db: Database, ownerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table image_counts in share row exclusive mode`);
    await tx.execute(sql`delete from image_counts where owner_id = ${ownerId}`);
    await tx.execute(sql`insert into image_counts (owner_id, span, place, count)
      ${counted} where owner_id = ${ownerId} group by 1, 2, 3`);
  });
}
