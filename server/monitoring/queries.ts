/** Figures of the whole collection, for its operator: of no account in particular. */

import { jobsSchema } from '../background/boss.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { prepared } from '../database/driver/prepared.ts';

/** Beyond it nothing is counted: to walk over more would take long, and says no more. */
export const maxDue = 100_000;

export type Counts = {
  accounts: number;
  images: number;
  originalBytes: number;
  uploads: number;
  renditionsDue: number;
};

const countsText = `select u.*, open.*, due.* from
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

const jobsText = `select name as queue, state::text as state, count(*)::float8 as count from ${jobsSchema}.job
  where state <> 'completed' group by 1, 2`;

/** Of what is not done. The tables come with the first work that is queued. */
export async function readJobs(db: ClientDatabase): Promise<JobCount[]> {
  const there = await prepared<{ there: boolean }>(db, 'select to_regclass($1) is not null as there', [
    `${jobsSchema}.job`,
  ]);
  return there[0]?.there ? prepared<JobCount>(db, jobsText, []) : [];
}

export type Sampled = { id: string; contentId: string | null; extension: string };

const sampleText = `select id, content_id as "contentId", extension from images tablesample system ($1::float8)
  order by random() limit $2`;

/** Some images, from anywhere in the table; some thousands are read for it. @param images how many there are */
export async function sampleImages(db: ClientDatabase, images: number, wanted: number): Promise<Sampled[]> {
  // Whole pages of the table are drawn: twenty times as many rows as are wanted, so that there are enough. They come in
  // the order of the table, its oldest first: of these, some at random.
  const percent = images <= 20 * wanted ? 100 : Math.min(100, (100 * 20 * wanted) / images);
  return prepared<Sampled>(db, sampleText, [percent, wanted]);
}
