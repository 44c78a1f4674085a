import type { ClientDatabase } from '../database/connect.ts';
import { prepared } from '../database/driver/prepared.ts';
import { maxTries } from '../renditions/queries.ts';

/** Maximum counted rows, because counting more takes long. */
const maxDue = 100_000;

export type Counts = {
  accounts: number;
  images: number;
  originalBytes: number;
  uploads: number;
  renditionsDue: number;
  /** With its indexes. */
  auditLogBytes: number;
};

const countsText = `select u.*, open.*, due.*, pg_total_relation_size('audit_log')::float8 as "auditLogBytes" from
  (select count(*)::float8 as accounts, coalesce(sum(image_count), 0)::float8 as images,
    coalesce(sum(image_bytes), 0)::float8 as "originalBytes" from users) u,
  (select count(*)::float8 as uploads from uploads
    where image_id is null and refusal is null and expires_at > now()) open,
  (select count(*)::float8 as "renditionsDue" from (select 1 from images where renditions_due limit ${maxDue}) first_ones) due`;

export async function readCounts(db: ClientDatabase): Promise<Counts> {
  const [row] = await prepared<Counts>(db, countsText, []);
  if (!row) throw new Error('a count answered no row');
  return row;
}

export type JobCount = { queue: string; state: string; count: number };

const jobsText = `select 'renditions' as queue, state, count(*)::float8 as count
  from (select distinct coalesce(content_id, id) as content_id
    from (select content_id, id from images where renditions_due limit ${maxDue}) images) due
  left join rendition_attempts attempt using (content_id)
  cross join lateral (select case when attempt.leased_until > now() then 'active'
    when attempt.next_at > now() then case when attempt.tries < ${maxTries} then 'retry' else 'failed' end
    else 'created' end as state) states
  group by state`;

/** Counts contents with due background renditions, by the state of their attempts. */
export async function readJobs(db: ClientDatabase): Promise<JobCount[]> {
  return prepared<JobCount>(db, jobsText, []);
}

export type Sampled = { id: string; contentId: string | null; extension: string };

const sampleText = `select id, content_id as "contentId", extension from images tablesample system ($1::float8)
  order by random() limit $2`;

/** A random sample of images, for which a few thousand rows are read. @param images number of rows in the table */
export async function sampleImages(db: ClientDatabase, images: number, wanted: number): Promise<Sampled[]> {
  // Draws whole table pages with 20 times the wanted rows, and picks from them at random because they are ordered by age.
  const percent = images <= 20 * wanted ? 100 : Math.min(100, (100 * 20 * wanted) / images);
  return prepared<Sampled>(db, sampleText, [percent, wanted]);
}
