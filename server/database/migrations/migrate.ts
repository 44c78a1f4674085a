import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import type { Address } from '../address.ts';
import { openClient } from '../client.ts';
import { isUnavailable } from '../connect.ts';
import { codeOf, DatabaseStartError } from '../start-error.ts';
import { refreshCollations } from './collations.ts';

// Arbitrary, but the same in every release.
const MIGRATION_LOCK = 7_346_201;

/** Finds migrations/ at the package root: above server/ in the source, above build/ when compiled. */
export function migrationsFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'migrations');
    if (existsSync(join(candidate, 'meta', '_journal.json'))) return candidate;
    if (folder === dirname(folder)) throw new DatabaseStartError('The folder "migrations" of the program is missing.');
  }
}

export type SchemaState = 'empty' | 'older' | 'current' | 'newer';

export async function schemaState(sql: postgres.Sql): Promise<SchemaState> {
  const [there] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as yes`;
  if (!there?.yes) return 'empty';
  const [row] = await sql`select max(created_at)::text as latest from drizzle.__drizzle_migrations`;
  if (row?.latest == null) return 'empty';
  const journal = JSON.parse(readFileSync(join(migrationsFolder(), 'meta', '_journal.json'), 'utf8'));
  const ours: number = journal.entries.at(-1).when;
  const theirs = Number(row.latest);
  if (theirs === ours) return 'current';
  return theirs < ours ? 'older' : 'newer';
}

/**
 * Migrates the schema in one transaction, so that a killed migration leaves nothing behind. Servers that start together
 * wait for one another; the lock ends with the connection.
 */
export async function runMigrations(address: Address): Promise<void> {
  const sql = openClient(address, {
    max: 1,
    max_lifetime: null,
    connection: { application_name: 'gallery migration' },
  });
  try {
    // The server's default timeouts must not interrupt a long migration or the wait for another one.
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false)`;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql), { migrationsFolder: migrationsFolder() });
    await refreshCollations(sql);
  } catch (error) {
    throw explain(error, address);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function explain(error: unknown, { database, user }: Address): unknown {
  if (!(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause) ?? '';
  if (isUnavailable(error)) return error;
  if (/create extension/i.test(error.message) && code) {
    return new DatabaseStartError(
      `The database needs the extension pg_trgm (${cause.message}). An administrator of the Postgres server must run, ` +
        `once, in the database "${database}": CREATE EXTENSION pg_trgm;`,
    );
  }
  if (code !== '42501') return error;
  return new DatabaseStartError(
    `The user "${user}" may not create tables in the database "${database}" (${cause.message}). ` +
      `Make it the owner: ALTER DATABASE "${database}" OWNER TO "${user}";`,
  );
}
