/** An installation of the first release: its schema, a thousand images, and the files of some of them. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import sharp from 'sharp';
import type { Test } from 'tap';
import { originalKey, thumbnailKey } from '../../server/images/keys.ts';
import { temporaryFolder } from '../../server/testing/app.ts';
import { sha256 } from './ledger.ts';
import { onePicture } from './load/storm.ts';

const migrations = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** @returns the number of statements after the first release at which `stopAtEachStatement` stops */
export function statements(): number {
  const entries: { tag: string }[] = JSON.parse(
    readFileSync(join(migrations, 'meta', '_journal.json'), 'utf8'),
  ).entries;
  return entries
    .slice(1)
    .flatMap(({ tag }) => readFileSync(join(migrations, `${tag}.sql`), 'utf8').split('--> statement-breakpoint'))
    .map((statement) => statement.replace(/^\s*(?:--.*\n\s*)*/, ''))
    .flatMap((statement) => (/^\s*do\b/i.test(statement) ? statement.split(/;|\bbegin\b/i) : [statement]))
    .filter((statement) =>
      /^\s*(?:(?:create|alter|drop)\s+(?:unique\s+)?(?:table|index)|update\s+"users")/i.test(statement),
    ).length;
}

/** Copies the migrations of an earlier release. @param count number of its migrations */
async function released(t: Test, count: number): Promise<string> {
  const folder = await temporaryFolder(t);
  cpSync(migrations, folder, { recursive: true });
  const file = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

export async function migrateTo(t: Test, sql: postgres.Sql, count: number): Promise<void> {
  await migrate(drizzle(sql), { migrationsFolder: await released(t, count) });
}

const owner = '01939e4c-0000-7000-8000-000000000001';

/** Drops every table of a test database. */
export async function emptyDatabase(sql: postgres.Sql): Promise<void> {
  await sql.unsafe('drop schema if exists drizzle cascade');
  await sql.unsafe('drop schema public cascade');
  await sql.unsafe('create schema public');
}

/** @param withFiles number of images that have files. @returns their SHA-256 by file name */
export async function fillFirstRelease(
  sql: postgres.Sql,
  dataDir: string,
  passwordHash: string,
  withFiles = 20,
): Promise<Map<string, string>> {
  await sql.unsafe(`
    insert into users (id, username, username_key, email, email_key, password_hash)
    values ('${owner}', 'early', 'early', 'early@example.com', 'early@example.com', '${passwordHash}')`);
  await sql.unsafe(`
    insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width,
      height, placeholder, uploaded_at)
    select gen_random_uuid(), '${owner}', left(md5(number::text), 22), number || '.jpg', number || '.jpg', 'jpg',
      'image/jpeg', 1000 + number, md5(number::text) || md5(number::text), 96, 64, 'placeholder',
      '2026-01-01'::timestamptz + number * interval '1 minute'
    from generate_series(1, ${1000 - withFiles}) as number`);
  const sums = new Map<string, string>();
  for (let count = 0; count < withFiles; count += 1) {
    const { name, bytes } = await onePicture();
    const image = { id: randomUUID(), extension: 'jpg' };
    const place = (key: string) => {
      const path = join(dataDir, 'files', key);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    };
    writeFileSync(place(originalKey(image)), bytes);
    writeFileSync(place(thumbnailKey(image)), await sharp(bytes).webp().toBuffer());
    sums.set(name, sha256(bytes));
    await sql`insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256,
      width, height, placeholder) values (${image.id}, ${owner}, ${image.id.replaceAll('-', '').slice(0, 22)}, ${name},
      ${name}, 'jpg', 'image/jpeg', ${bytes.length}, ${sha256(bytes)}, 96, 64, 'placeholder')`;
  }
  return sums;
}

/** @returns a checksum of everything that the first release stored about its images */
export async function sumOf(sql: postgres.Sql): Promise<unknown> {
  const [row] = await sql.unsafe(`
    select count(*)::int as images, sum(size)::text as bytes, md5(string_agg(concat_ws('|', id, owner_id, link_key,
      filename, sha256, width, height, uploaded_at), ',' order by id)) as sum from images`);
  return row;
}

/** Makes the nth try of a migration hang at its nth statement, until a try has no further statement. */
export async function stopAtEachStatement(sql: postgres.Sql): Promise<void> {
  await sql.unsafe('create schema trial');
  await sql.unsafe('create sequence trial.tries');
  await sql.unsafe(`
    create function trial.gate() returns void language plpgsql as $$
    declare
      last text := coalesce(nullif(current_setting('trial.stop', true), ''), nextval('trial.tries')::text);
      at int := coalesce(nullif(current_setting('trial.at', true), ''), '0')::int + 1;
    begin
      perform set_config('trial.stop', last, true), set_config('trial.at', at::text, true);
      if at = last::int then perform pg_sleep(3600); end if;
    end $$`);
  await sql.unsafe(`
    create function trial.on_command() returns event_trigger language plpgsql as $$
    begin
      if current_query() not ilike '%__drizzle_migrations%' and tg_tag ~ 'TABLE|INDEX' then perform trial.gate(); end if;
    end $$`);
  await sql.unsafe(`
    create function trial.on_rows() returns trigger language plpgsql as $$
    begin perform trial.gate(); return null; end $$`);
  await sql.unsafe('create trigger trial before update on users for each statement execute function trial.on_rows()');
  await sql.unsafe('create event trigger trial on ddl_command_start execute function trial.on_command()');
}

export async function stopNoMore(sql: postgres.Sql): Promise<void> {
  await sql.unsafe('drop event trigger trial');
  await sql.unsafe('drop schema trial cascade');
}
