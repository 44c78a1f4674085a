/** Queries of a backup, in one transaction that sees the database as it was at its first query. */
import type postgres from 'postgres';
import { BackupError } from './backup-error.ts';

export type ImageLine = {
  id: string;
  content_id?: string | null;
  extension: string;
  size: number;
  sha256: string;
  has_screen: boolean;
  thumbnail_sha256?: string | null;
  screen_sha256?: string | null;
  sealed?: boolean;
  renditions_sealed?: boolean;
};

type Sql = postgres.Sql | postgres.TransactionSql;

/** Identifies the image's bytes, as used in file keys. */
export const contentOf = <T extends { id: string; content_id?: string | null; extension: string }>(image: T) => ({
  id: image.content_id ?? image.id,
  extension: image.extension,
});

/** Sessions, API tokens, reset links, unfinished logins, attempts, open uploads, ended links, orphaned blobs and runs of the doctor belong to running servers and are not backed up. */
export const savedTables = [
  'installation',
  'users',
  'identities',
  'passkeys',
  'totp_secrets',
  'recovery_codes',
  'invites',
  'audit_log',
  'images',
  'albums',
  'album_images',
  'stable_links',
  'shares',
  'share_images',
  'held_names',
  'collect_links',
  'collect_guests',
  'collected_images',
];

/** Tables whose rows belong to an image. */
export const imageTables = new Set(['album_images', 'share_images', 'collected_images']);

/** Column that sorts and cuts a table: an added or deleted row changes only its own part. */
export function sortKeyOf(table: string): 'id' | 'image_id' | 'user_id' {
  if (table === 'totp_secrets' || table === 'recovery_codes') return 'user_id';
  return imageTables.has(table) ? 'image_id' : 'id';
}

/** Completes the order where the sort key is not unique. */
const secondKeys: Record<string, string> = { album_images: 'album_id', recovery_codes: 'code_hash' };

/** First of two lock numbers; differs from every topic in database/process-registry.ts. */
const BACKUP_LOCK = 7_346_205;

export async function inSnapshot<T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  const result = await sql.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read read only`;
    // The transaction lasts as long as the copy. UTC gives timestamps one format.
    await tx`select set_config('statement_timeout', '0', true), set_config('timezone', 'UTC', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
    return { value: await work(tx) };
  });
  return result.value;
}

/** @throws BackupError if another backup writes this file; the lock ends with the transaction */
export async function lockFile(tx: postgres.TransactionSql, path: string): Promise<void> {
  const [row] = await tx`select pg_try_advisory_xact_lock(${BACKUP_LOCK}, hashtext(${path})) as taken`;
  if (!row?.taken) throw new BackupError(`Another backup is writing ${path}.`);
}

/** @throws BackupError if the database belongs to no installation yet */
export async function installationOf(sql: Sql): Promise<string> {
  const [row] = await sql`select id::text as id from installation`;
  if (!row) throw new BackupError('No server has been started on this database yet: there is nothing to back up.');
  return row.id;
}

/** The snapshot's time: when the transaction began, but always later than `after` if clocks differ. */
export async function momentOf(tx: postgres.TransactionSql, after: string | undefined): Promise<string> {
  const [row] = await tx`select floor(extract(epoch from now()) * 1000)::text as now`;
  const least = after === undefined ? 0 : Date.parse(after) + 1;
  return new Date(Math.max(Number(row?.now), least)).toISOString();
}

/** Creation time (ms) of the last migration; 0 if there is none. */
export async function schemaLevel(sql: Sql): Promise<number> {
  const [there] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as yes`;
  if (!there?.yes) return 0;
  const [row] = await sql`select max(created_at)::text as level from drizzle.__drizzle_migrations`;
  return Number(row?.level ?? 0);
}

export async function columnsOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`;
  return rows.map(({ name }) => name);
}

/** Yields every row as a line of JSON, sorted, some hundred at once. */
export async function* linesOf(tx: postgres.TransactionSql, table: string): AsyncGenerator<string[]> {
  const key = sortKeyOf(table);
  const second = secondKeys[table];
  const order = second === undefined ? tx(key) : tx`${tx(key)}, ${tx(second)}`;
  const columns = await columnsOf(tx, table);
  await tx`declare lines no scroll cursor for
    select row_to_json(saved)::text as line from (select ${tx(columns)} from ${tx(table)}) saved order by ${order}`;
  for (;;) {
    const rows = await tx`fetch 500 from lines`;
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await tx`close lines`;
}

export async function imagesAndBytes(sql: Sql): Promise<{ count: number; bytes: number }> {
  const [row] = await sql`select count(*)::int as count, coalesce(sum(size), 0)::text as bytes from images`;
  return { count: row?.count ?? 0, bytes: Number(row?.bytes ?? 0) };
}

/** Ids of contents that several images may share: bytes stored under another image's id. */
export async function sharedContents(tx: postgres.TransactionSql): Promise<Set<string>> {
  const rows = await tx`select distinct content_id::text as id from images where content_id is not null`;
  return new Set(rows.map(({ id }) => id));
}

/** The image's row as it is now, not as the snapshot has it; undefined if deleted. */
export async function imageNow(sql: postgres.Sql, id: string): Promise<ImageLine | undefined> {
  const [row] = await sql`select row_to_json(images)::text as line from images where id = ${id}`;
  return row && JSON.parse(row.line);
}
