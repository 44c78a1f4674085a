import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeHeldNames } from './before-held-names.ts';
import { query } from './embedded.ts';

/** Puts a database back to before migration 0030. */
export async function beforeConfirmedEmails(url: string): Promise<void> {
  await beforeHeldNames(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('"email_confirmed_at"')));
  await query(url, 'alter table users drop column email_confirmed_at');
  await query(url, 'drop table password_resets');
  await query(
    url,
    `create table password_resets (user_id uuid constraint password_resets_pkey primary key references users on delete cascade,
      token_hash text not null constraint password_resets_token_hash_unique unique,
      expires_at timestamp(3) with time zone not null)`,
  );
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
