import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforePeople } from './before-people.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0027. */
export async function beforeCollectLinks(url: string): Promise<void> {
  await beforePeople(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "collect_links"')));
  await query(url, 'drop table collected_images, collect_guests, collect_links');
  await query(url, 'alter table images drop column waiting');
  await query(url, 'alter table uploads drop column guest_id');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
