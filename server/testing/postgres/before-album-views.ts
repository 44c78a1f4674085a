import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeConfirmedEmails } from './before-confirmed-emails.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0029. */
export async function beforeAlbumViews(url: string): Promise<void> {
  await beforeConfirmedEmails(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) =>
    statements.some((text) => text.includes('"albums" ADD COLUMN "link_views"')),
  );
  await query(url, 'alter table albums drop column link_views');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
