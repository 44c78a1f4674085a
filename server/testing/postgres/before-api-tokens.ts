import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeExpiringImages } from './before-expiring-images.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0022. */
export async function beforeApiTokens(url: string): Promise<void> {
  await beforeExpiringImages(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "api_tokens"')));
  await query(url, 'drop table api_tokens');
  await query(url, 'alter table uploads drop column token_id, drop column album_id');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
