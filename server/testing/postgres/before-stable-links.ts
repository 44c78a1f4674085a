import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeShares } from './before-shares.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0025. */
export async function beforeStableLinks(url: string): Promise<void> {
  await beforeShares(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "stable_links"')));
  await query(url, 'drop table stable_links');
  await query(url, 'drop index images_owner_expires_at');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
