import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { query } from './embedded.ts';

const earlierTrigger = `create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
  begin raise exception 'the audit log only grows' using errcode = 'GA002'; end $$`;

/** Puts a database back to before names were held and the audit log could be trimmed. */
export async function beforeHeldNames(url: string): Promise<void> {
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('TABLE "held_names"')));
  await query(url, 'drop function hold_name, hold_short_name, hold_stable_name cascade');
  await query(url, 'drop table held_names');
  await query(url, 'drop index audit_log_email');
  await query(url, earlierTrigger);
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
