import type postgres from 'postgres';
import type { Address } from './address.ts';
import { checkServer, connect } from './connect.ts';
import { codeOf, DatabaseStartError, messageOf } from './start-error.ts';

/** Identifies the database and its server by its start time: an ordinary user may not read the system identifier. */
async function identityOf(sql: postgres.Sql): Promise<string> {
  const [row] = await sql`select oid::text || ' ' || extract(epoch from pg_postmaster_start_time())::text as identity
    from pg_database where datname = current_database()`;
  return String(row?.identity);
}

/** @throws DatabaseStartError if the direct URL does not respond or leads to another database */
export async function checkDirect(pooled: postgres.Sql, direct: Address): Promise<void> {
  const { sql, close } = connect(direct, { max: 1 });
  try {
    await checkServer(sql, direct, 'DATABASE_DIRECT_URL');
    if ((await identityOf(sql)) !== (await identityOf(pooled))) {
      throw new DatabaseStartError('DATABASE_URL and DATABASE_DIRECT_URL lead to two different databases.');
    }
  } finally {
    await close();
  }
}

/** Explains why PgBouncer refuses a connection with startup parameters. */
export function explainPooler(error: unknown): never {
  if (codeOf(error) !== '08P01' || !/startup parameter/i.test(messageOf(error))) throw error;
  throw new DatabaseStartError(
    `The database is reached through a pooler that offers no separate sessions (${messageOf(error)}). ` +
      'Set DATABASE_DIRECT_URL to a URL that leads directly to Postgres, in addition to DATABASE_URL.',
  );
}
