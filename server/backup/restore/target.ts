/** Checks that a restore target is empty and not in use. */
import type postgres from 'postgres';
import type { Backend } from '../../storage/backend.ts';
import { BackupError } from '../backup-error.ts';

type Sql = postgres.Sql | postgres.TransactionSql;

/** @param own this process's number @throws BackupError if the database has accounts or pictures, or a server uses it */
export async function checkDatabase(sql: Sql, own: bigint): Promise<void> {
  await checkNobody(sql, own);
  for (const table of ['users', 'images'] as const) {
    if (await hasRows(sql, table))
      throw new BackupError(`The database holds ${table} already: restore into an empty one.`);
  }
}

/** @throws BackupError if a server or another command uses the database */
export async function checkNobody(sql: Sql, own: bigint): Promise<void> {
  // Every live server holds a lock on a number from 2^62 (database/process-registry.ts).
  const present = await sql`select 1 from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint >= 1073741824 and (classid::bigint << 32) | objid::bigint <> ${String(own)}::bigint`;
  if (present.length > 0)
    throw new BackupError('A server, or another command, is working on this database: stop it first.');
}

/** Also works in a database without tables. */
export async function hasRows(sql: Sql, table: 'users' | 'images'): Promise<boolean> {
  const [there] = await sql`select to_regclass(${table}) is not null as yes`;
  return there?.yes === true && (await sql`select 1 from ${sql(table)} limit 1`).length > 0;
}

/** @returns whether an earlier restore may have left files @throws BackupError if the storage holds other originals */
export async function checkStorage(
  { restoring, everything, marker }: Pick<Backend, 'restoring' | 'everything' | 'marker'>,
  installation: string,
): Promise<boolean> {
  if ((await restoring.read()) === installation) return true;
  const { location } = marker.texts;
  const unreadable = (folder: string, code: string) => {
    throw new BackupError(`The folder ${location}/${folder} cannot be read (${code}).`);
  };
  for await (const { key } of everything({ only: 'originals', unreadable })) {
    throw new BackupError(`The storage ${location} holds originals already (${key}): restore into an empty one.`);
  }
  return false;
}
