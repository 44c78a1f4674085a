import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { foldCase } from '../../lib/fold.ts';
import { beforeHeldNames } from './before-held-names.ts';
import { query } from './embedded.ts';

/** Puts a database back to before names were folded as people type them. Descriptions must be empty. */
export async function beforeFoldedNames(url: string): Promise<void> {
  await beforeHeldNames(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('FUNCTION fold_text')));
  await query(url, 'drop function fold_text');
  await query(url, 'drop index images_owner_name, images_owner_name_ar');
  await query(url, 'drop collation names, names_ar');
  await query(url, 'create index images_owner_name on images (owner_id, name_key, id)');
  for (const [table, name] of [
    ['images', 'filename'],
    ['albums', 'name'],
  ]) {
    for (const row of await query(url, `select id, ${name} as name from ${table}`)) {
      const literal = foldCase(String(row.name)).replaceAll("'", "''");
      await query(url, `update ${table} set search_name = '${literal}' where id = '${row.id}'`);
    }
  }
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
