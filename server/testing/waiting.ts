import type { Database } from '../database/connect.ts';

/** Number of the database's sessions that wait for a lock. @param db a connection that does not wait for one */
export async function waitingForLocks(db: Pick<Database, 'execute'>): Promise<number> {
  // A transaction caches pg_stat_activity; the caller polls within one.
  await db.execute('select pg_stat_clear_snapshot()');
  const [row] = await db.execute<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
