import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeApiTokens } from './before-api-tokens.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0020, when the table was called loose_bytes. */
export async function beforeOrphanedBlobs(url: string): Promise<void> {
  await beforeApiTokens(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) =>
    statements.some((text) => text.includes('RENAME TO "orphaned_blobs"')),
  );
  await query(url, 'alter table orphaned_blobs rename to loose_bytes');
  await query(url, 'alter index orphaned_blobs_pkey rename to loose_bytes_pkey');
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
