import { knownMigrations } from '../../database/migrations/migrate-to.ts';
import { beforeApiTokens } from './before-api-tokens.ts';
import { query } from './embedded.ts';

/** The schema of pg-boss, as earlier versions created it at run time, with only the columns that name a job. */
const queues = `
  create schema gallery_jobs;
  create type gallery_jobs.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  create table gallery_jobs.version (version int primary key);
  create table gallery_jobs.queue (name text primary key);
  create table gallery_jobs.job (id uuid not null, name text not null references gallery_jobs.queue (name),
    state gallery_jobs.job_state not null, dead_letter text references gallery_jobs.queue (name)) partition by list (name);
  create table gallery_jobs.archive (like gallery_jobs.job);
  create function gallery_jobs.create_queue(queue_name text, options json) returns void language sql as 'select';
  create table gallery_jobs.j1 partition of gallery_jobs.job for values in ('renditions');
  insert into gallery_jobs.queue values ('renditions'), ('dead')`;

/** Puts a database back to before migration 0021, with a job in each state for each due image. */
export async function beforeBackgroundJobs(url: string): Promise<void> {
  await beforeApiTokens(url);
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('DROP SCHEMA')));
  await query(url, 'drop table leases, rendition_attempts');
  await query(url, queues);
  await query(
    url,
    `insert into gallery_jobs.job select coalesce(content_id, id), 'renditions', state::gallery_jobs.job_state, 'dead'
     from images, unnest(array['created', 'retry', 'active', 'failed']) state where renditions_due`,
  );
  await query(url, `delete from drizzle.__drizzle_migrations where created_at > ${levels[at - 1]?.level}`);
}
