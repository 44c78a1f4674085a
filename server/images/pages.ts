/**
 * Pages of a gallery, the newest first, each found in the same time. Postgres can only skip rows by walking over them;
 * so the counts of images in each stretch of time (drizzle/schema.ts) say in which one a page begins, and what is
 * walked over is the rest of that stretch. Each statement sees counts and rows at one moment.
 */
import type { ClientDatabase } from '../database/connect.ts';
import { prepared } from '../database/prepared.ts';
import { type ShownColumns, type ShownImage, shownColumns, shownImage } from './columns.ts';

export type Page = { page: number; size: number };
export type Listed = { images: ShownImage[]; total: number };

const total = `select coalesce(sum(count), 0)::int as total from image_counts where owner_id = $1 and span = 63`;
const newestFirst = 'order by uploaded_at desc, id desc';

/** $1 the owner, $2 the images before the page, $3 those on it. The total comes with each row, also with none. */
export const nearPage = `
  select held.total, ${shownColumns}
  from (${total}) held left join lateral (
    select * from images where owner_id = $1 ${newestFirst} offset $2::bigint limit $3::bigint
  ) i on true ${newestFirst}`;

/**
 * The same, by way of the counts. `before`: how many images are newer than the stretch. First the twelve days, then
 * the quarter of an hour in them, then in that one the image the page begins with.
 */
export const farPage = `
  with held as materialized (${total}),
  days as materialized (
    select place, sum(count) over (order by place desc) - count as before
    from image_counts where owner_id = $1 and span = 30
  ),
  minutes as materialized (
    select m.place, day.before + sum(m.count) over (order by m.place desc) - m.count as before
    from (select * from days where before <= $2::bigint order by place limit 1) day
    join image_counts m on m.owner_id = $1 and m.span = 20
      and m.place >= day.place << 10 and m.place < (day.place + 1) << 10
  ),
  start as materialized (select * from minutes where before <= $2::bigint order by place limit 1),
  first as materialized (
    select image.uploaded_at, image.id from start, lateral (
      select uploaded_at, id from images
      where owner_id = $1 and uploaded_at < to_timestamp(((start.place + 1) << 20) / 1000.0)
        and uploaded_at >= to_timestamp((start.place << 20) / 1000.0)
      ${newestFirst} offset $2::bigint - start.before limit 1
    ) image
  )
  select held.total, ${shownColumns}
  from held left join lateral (
    select * from images
    where owner_id = $1 and (uploaded_at, id) <= ((select uploaded_at from first), (select id from first))
    ${newestFirst} limit $3::bigint
  ) i on true ${newestFirst}`;

/**
 * @param page from 1; one past the end has no images, and the total all the same
 * @param near images up to here are walked over sooner than counted
 */
export async function pageOfImages(
  db: ClientDatabase,
  ownerId: string,
  { page, size }: Page,
  near = 500,
): Promise<Listed> {
  const before = Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER);
  const statement = before <= near ? nearPage : farPage;
  const rows = await prepared<ShownColumns & { total: number }>(db, statement, [ownerId, before, size]);
  return { total: rows[0]?.total ?? 0, images: rows.filter(({ id }) => id !== null).map(shownImage) };
}

const byIds = `select ${shownColumns} from images i where i.owner_id = $1 and i.id = any($2::text::uuid[])`;

/** An owner's images by their ids, in any order; those that are not there are left out. */
export async function findShown(db: ClientDatabase, ownerId: string, ids: string[]): Promise<ShownImage[]> {
  return (await prepared<ShownColumns>(db, byIds, [ownerId, `{${ids.join(',')}}`])).map(shownImage);
}
