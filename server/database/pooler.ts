/** Where DATABASE_URL leads through a pooler in transaction mode, DATABASE_DIRECT_URL leads past it. */
import type postgres from 'postgres';
import type { Address } from './address.ts';
import { checkServer, connect } from './connect.ts';
import { codeOf, DatabaseStartError, messageOf } from './start-error.ts';

/**
 * Which database of which server: two sessions of the same one read the same. By when that server was started, since an
 * ordinary user may not ask for its identity.
 */
async function placeOf(sql: postgres.Sql): Promise<string> {
  const [row] = await sql`select oid::text || ' ' || extract(epoch from pg_postmaster_start_time())::text as place
    from pg_database where datname = current_database()`;
  return String(row?.place);
}

/** @throws DatabaseStartError where the direct way does not answer, or leads to another database than the pooler's */
export async function checkDirect(pooled: postgres.Sql, direct: Address): Promise<void> {
  const { sql, close } = connect(direct, { max: 1 });
  try {
    await checkServer(sql, direct, 'DATABASE_DIRECT_URL');
    if ((await placeOf(sql)) !== (await placeOf(pooled))) {
      throw new DatabaseStartError('DATABASE_URL and DATABASE_DIRECT_URL lead to two different databases.');
    }
  } finally {
    await close();
  }
}

/** PgBouncer refuses what a session of one's own is opened with. */
export function explainPooler(error: unknown): never {
  if (codeOf(error) !== '08P01' || !/startup parameter/i.test(messageOf(error))) throw error;
  throw new DatabaseStartError(
    `The database is reached through a pooler that gives no session of one's own (${messageOf(error)}). ` +
      'Set DATABASE_DIRECT_URL to a URL that leads straight to Postgres, beside DATABASE_URL.',
  );
}
