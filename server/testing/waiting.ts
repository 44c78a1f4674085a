import type { Database } from '../database/connect.ts';

/** How many sessions of the database wait for a lock. @param db a connection that waits for none */
export async function waitingForLocks(db: Pick<Database, 'execute'>): Promise<number> {
  // A transaction keeps what it first reads of pg_stat_activity, and a holder asks again and again.
  await db.execute('select pg_stat_clear_snapshot()');
  const [row] = await db.execute<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
