/** Migrations up to a chosen level, for tables that must pass through an earlier version. */
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { migrationsFolder } from './migrate.ts';

/** `level`: creation time (ms), by which drizzle orders migrations. */
type Migration = { level: number; hash: string; statements: string[] };

export function knownMigrations(): Migration[] {
  return readMigrationFiles({ migrationsFolder: migrationsFolder() }).map(({ folderMillis, hash, sql }) => ({
    level: folderMillis,
    hash,
    statements: sql,
  }));
}

/** Applies the migrations above `from` up to `to` and records them in drizzle's table. */
export async function migrateWithin(tx: postgres.TransactionSql, from: number, to: number): Promise<void> {
  await tx`create schema if not exists drizzle`;
  await tx`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`;
  for (const { level, hash, statements } of knownMigrations()) {
    if (level <= from || level > to) continue;
    for (const statement of statements) await tx.unsafe(statement);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${level})`;
  }
}
