import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeAlbumViews } from './before-album-views.ts';
import { query } from './embedded.ts';

const tables = [
  ...['admin_claims', 'admin_jobs', 'audit_log', 'challenges', 'identities'],
  ...['invites', 'passkeys', 'recovery_codes', 'totp_secrets'],
];

/** Puts a database back to before migration 0028. */
export async function beforePeople(url: string): Promise<void> {
  await beforeAlbumViews(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "invites"')));
  await query(
    url,
    `alter table sessions drop column method, drop column second_factor, drop column identity_id,
       drop column provider_sid, drop column id_token`,
  );
  await query(url, `drop table ${tables.join(', ')}`);
  await query(url, 'drop function keep_an_admin cascade');
  await query(url, 'drop function audit_log_is_append_only cascade');
  await query(
    url,
    `alter table users alter column password_hash set not null, drop column role, drop column pending_since,
       drop column quota_images, drop column quota_bytes`,
  );
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
