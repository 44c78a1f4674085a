import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeStableLinks } from './before-stable-links.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0023. */
export async function beforeExpiringImages(url: string): Promise<void> {
  await beforeStableLinks(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "ended_links"')));
  await query(url, 'drop table ended_links');
  await query(url, 'alter table uploads drop column expires_in, drop column delete_link, drop column upload_key');
  await query(url, 'alter table images drop column expires_at, drop column delete_hash');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
