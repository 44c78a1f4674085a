import { and, desc, sql } from 'drizzle-orm';
import { type ImageRow, images } from '../../drizzle/schema.ts';
import { jobsSchema } from '../background/boss.ts';
import type { Database } from '../database/connect.ts';
import { naming } from '../images/content-queries.ts';

/** A content with due renditions, and the upload time of one of its images. */
export type Due = { content: string; uploadedAt: Date };

export async function findDue(db: Database, content: string): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(images)
    .where(and(sql`${images.renditionsDue}`, naming([content])))
    .orderBy(desc(images.id))
    .limit(1);
  return row;
}

/** Due contents without a job in this queue, not even a recently failed one, the newest first. */
export async function dueBeside(db: Database, queue: string, most: number): Promise<Due[]> {
  const content = sql<string>`coalesce(${images.contentId}, ${images.id})`;
  const queued = sql`select 1 from ${sql.identifier(jobsSchema)}.job where job.name = ${queue} and job.id = ${content}`;
  return db
    .select({ content, uploadedAt: images.uploadedAt })
    .from(images)
    .where(and(sql`${images.renditionsDue}`, sql`not exists (${queued})`))
    .orderBy(desc(images.id))
    .limit(most);
}
