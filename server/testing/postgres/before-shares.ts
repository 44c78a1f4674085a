import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeCollectLinks } from './before-collect-links.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0026. */
export async function beforeShares(url: string): Promise<void> {
  await beforeCollectLinks(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "shares"')));
  await query(url, 'drop table share_images, shares');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
