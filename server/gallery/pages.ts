/**
 * Postgres skips rows only by walking over them. By date, image counts of intervals (drizzle/schema.ts) locate the
 * start of a page, so every page takes the same time. By name and size, an index-only scan walks from the nearer end.
 */
import type { ClientDatabase } from '../database/connect.ts';
import { preparedInTime } from '../database/driver/prepared.ts';
import { type ShownColumns, type ShownImage, shownColumns, shownImage } from '../images/columns.ts';

import { isNewestFirst, newestFirst, type Order, orderBy, reversed } from './order.ts';

/** @param deleted images of the pages before that were deleted since those were listed: the page begins that much earlier */
export type Page = { page: number; size: number; deleted?: number };

/** The images before a page. */
export const startOf = ({ page, size, deleted = 0 }: Page): number =>
  Math.min(Math.max((page - 1) * size - deleted, 0), 2 ** 51);

/** How many pages a list has, those before this one counted as they were listed. */
export const pagesOf = (total: number, { page, size, deleted = 0 }: Page): number =>
  total === 0 ? 0 : Math.ceil((total + Math.min(deleted, (page - 1) * size)) / size);

type Listed = { images: ShownImage[]; total: number };

const total = `select coalesce(sum(count), 0)::int as total from image_counts where owner_id = $1 and span = 63`;
/** For a page counted from the other end: the images before it, and those on it. */
const mirrored = {
  before: 'greatest(total - $2::bigint - $3::bigint, 0)',
  on: 'greatest(least($3::bigint, total - $2::bigint), 0)',
};

/** $1: the owner, $2: the images before the page, $3: those on it. An empty page still returns one row with the total. */
const nearPageBy = (order: Order) => `
  select held.total, ${shownColumns}
  from (${total}) held left join lateral (
    select * from images where owner_id = $1 ${orderBy(order)} offset $2::bigint limit $3::bigint
  ) i on true ${orderBy(order, 'i.')}`;

/**
 * The same through the counts: finds the interval of 12 days, the 17 minutes in it, and the first image of the page there.
 * `before` is the number of images newer than the interval. Oldest-first pages are read as the mirrored page.
 */
export const farPageBy = (order: Order) => {
  const [skipped, taken] = isNewestFirst(order)
    ? ['$2::bigint', '$3::bigint']
    : ['(select skipped from held)', '(select taken from held)'];
  return `
  with held as materialized (
    select total${isNewestFirst(order) ? '' : `, ${mirrored.before} as skipped, ${mirrored.on} as taken`} from (${total}) counted
  ),
  days as materialized (
    select place, sum(count) over (order by place desc) - count as before
    from image_counts where owner_id = $1 and span = 30
  ),
  minutes as materialized (
    select m.place, day.before + sum(m.count) over (order by m.place desc) - m.count as before
    from (select * from days where before <= ${skipped} order by place limit 1) day
    join image_counts m on m.owner_id = $1 and m.span = 20
      and m.place >= day.place << 10 and m.place < (day.place + 1) << 10
  ),
  start as materialized (select * from minutes where before <= ${skipped} order by place limit 1),
  first as materialized (
    select image.uploaded_at, image.id from start, lateral (
      select uploaded_at, id from images
      where owner_id = $1 and uploaded_at < to_timestamp(((start.place + 1) << 20) / 1000.0)
        and uploaded_at >= to_timestamp((start.place << 20) / 1000.0)
      ${orderBy(newestFirst)} offset ${skipped} - start.before limit 1
    ) image
  )
  select held.total, ${shownColumns}
  from held left join lateral (
    select * from images
    where owner_id = $1 and (uploaded_at, id) <= ((select uploaded_at from first), (select id from first))
    ${orderBy(newestFirst)} limit ${taken}
  ) i on true ${orderBy(order, 'i.')}`;
};

export const nearPage = nearPageBy(newestFirst);
export const farPage = farPageBy(newestFirst);

/** Postgres runs only one branch of the union. The lateral join avoids a plan for many rows, because a page has few. */
export const nearerEnd = (order: Order) => `
  with held as materialized (${total}),
  page as materialized (
    (select id from images where owner_id = $1 and 2 * $2::bigint <= (select total from held)
      ${orderBy(order)} offset $2::bigint limit $3::bigint)
    union all
    (select id from images where owner_id = $1 and 2 * $2::bigint > (select total from held)
      ${orderBy(reversed(order))} offset (select ${mirrored.before} from held) limit (select ${mirrored.on} from held))
  )
  select held.total, ${shownColumns}
  from held left join (
    select one.* from page, lateral (select * from images where images.id = page.id limit 1) one
  ) i on true ${orderBy(order, 'i.')}`;

function statementOf(order: Order, isNear: boolean): string {
  if (order.by !== 'date') return nearerEnd(order);
  if (isNewestFirst(order)) return isNear ? nearPage : farPage;
  return isNear ? nearPageBy(order) : farPageBy(order);
}

/** @param asked from page 1; one past the end has no images @param options `near`: up to this offset a walk is faster than counts */
export async function pageOfImages(
  db: ClientDatabase,
  ownerId: string,
  asked: Page,
  { order = newestFirst, near = 500 }: { order?: Order; near?: number } = {},
): Promise<Listed> {
  const before = startOf(asked);
  const statement = statementOf(order, before <= near);
  const rows = await preparedInTime<ShownColumns & { total: number }>(db, statement, [ownerId, before, asked.size]);
  return { total: rows[0]?.total ?? 0, images: rows.filter(({ id }) => id !== null).map(shownImage) };
}

const byIds = `select ${shownColumns} from images i where i.owner_id = $1 and i.id = any($2::text::uuid[])`;

/** An owner's images by their ids, in any order, without missing ones. */
export async function findShown(db: ClientDatabase, ownerId: string, ids: string[]): Promise<ShownImage[]> {
  return (await preparedInTime<ShownColumns>(db, byIds, [ownerId, `{${ids.join(',')}}`])).map(shownImage);
}
